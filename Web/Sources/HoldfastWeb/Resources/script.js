// Counts plays in place, shows live progress, records, and adds small conveniences. Every page
// works without this script, except for recording.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);

// Show the intensity in words and colour.
for (const slider of all('[data-intensity]')) {
  const output = one('output[for=intensity]');
  const words = (n) => n >= 10 ? ['overwhelming', 'Overwhelming'] : n >= 7 ? ['strong', 'Strong']
    : n >= 4 ? ['moderate', 'Moderate'] : ['mild', 'Mild'];
  const show = () => {
    const [name, word] = words(Number(slider.value));
    output.textContent = `${slider.value} · ${word}`;
    output.className = `level ${name}`;
    slider.setAttribute('aria-valuetext', `${slider.value}, ${word}`);
  };
  slider.addEventListener('input', show);
  show();
}

// Show the current day of a calendar that is wider than the window.
for (const day of all('.scroll [aria-current]')) {
  const calendar = day.closest('.scroll');
  calendar.scrollLeft = day.offsetLeft - (calendar.clientWidth - day.offsetWidth) / 2;
}

// Count the characters as people do, near the limit.
for (const field of all('[data-counter]')) {
  const hint = one(`[data-counter-for=${field.id}]`);
  const segments = new Intl.Segmenter();
  const show = () => {
    const count = [...segments.segment(field.value)].length;
    const isNear = count >= Number(field.dataset.counter);
    hint.textContent = isNear ? `${count} of ${field.maxLength} characters` : '';
  };
  field.addEventListener('input', show);
  show();
}

// Hint at a moment that is long ago.
for (const field of all('[data-week]')) {
  const hint = one('[data-week-hint]');
  const show = () => { hint.hidden = !(Date.now() - new Date(field.value) > 7 * 864e5); };
  field.addEventListener('input', show);
  show();
}

// Show only the amounts of the chosen method.
const methods = all('[data-method]');
const showAmounts = () => {
  const chosen = methods.find((method) => method.checked)?.value;
  for (const amounts of all('[data-amounts]')) amounts.hidden = amounts.dataset.amounts !== chosen;
};
if (methods.length) {
  for (const method of methods) method.addEventListener('change', showAmounts);
  showAmounts();
}

// While the user types, check that Holdfast still runs. If it has ended, show a warning and do not
// submit the form: the browser's error page would replace the typed text.
let lost = null;
function stayInTouch(form) {
  setInterval(async () => {
    if (document.hidden) return;
    try {
      await fetch('/assets/icon.svg', { cache: 'no-store' });
      lost?.remove();
      lost = null;
    } catch {
      if (lost) return;
      lost = document.createElement('p');
      lost.setAttribute('role', 'alert');
      lost.textContent = 'Holdfast has ended, so this cannot be kept. '
        + 'It is still here: copy it, and start Holdfast again.';
      form.append(lost);
    }
  }, 3000);
}
const stayInTouchOnceTyped = (root) => {
  for (const form of all('form[method=post]', root)) {
    form.addEventListener('input', () => stayInTouch(form), { once: true });
  }
};
stayInTouchOnceTyped(document);
addEventListener('submit', (event) => {
  if (!lost) return;
  event.preventDefault();
  lost.scrollIntoView({ block: 'nearest' });
}, { capture: true });

// Undo is offered for ten seconds. Afterwards History has it.
for (const form of all('[data-undo]')) setTimeout(() => { form.hidden = true; }, 10000);

// A screen reader announces a line that changes, not one that was there.
for (const line of all('[data-notice]')) {
  setTimeout(() => line.replaceChildren(line.textContent), 200);
  // It stays in view where the page lands, but not for as long as someone reads.
  setTimeout(() => { line.style.position = 'static'; }, 8000);
}

// A page that the browser had kept may show what is gone.
addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });

// Find a recording in the list of a form.
for (const chooser of all('[data-chooser]')) {
  const field = one('[data-find]', chooser);
  const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const find = () => {
    const words = plain(field.value).split(/\s+/);
    let found = 0;
    for (const option of all('.option', chooser)) {
      const text = plain(option.textContent);
      option.hidden = !words.every((word) => text.includes(word));
      if (!option.hidden) found += 1;
    }
    one('[data-none]', chooser).textContent = found ? '' : 'No recordings match.';
  };
  field.addEventListener('input', find);
  // The rest of a large library comes when it is asked for.
  const more = one('[data-more]', chooser);
  const load = async (event) => {
    event.preventDefault();
    if (more.hidden) return;
    more.hidden = true;
    try {
      const text = await (await fetch(more.href)).text();
      const page = new DOMParser().parseFromString(text, 'text/html');
      const known = new Set(all('.option input', chooser).map((input) => input.value));
      for (const option of all('[data-chooser] .option', page)) {
        const input = one('input', option);
        if (known.has(input.value)) continue;
        input.checked = false;
        one('.options', chooser).append(document.adoptNode(option));
      }
      find();
    } catch { more.hidden = false; }
  };
  if (more) {
    more.addEventListener('click', load);
    field.addEventListener('focus', load);
  }
  // Enter would send the form.
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}

// A time as a clock shows it.
const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
// A length is rounded, as it is everywhere on the pages.
const lengthText = (seconds) => clock(Math.round(seconds));

for (const player of all('[data-player]')) {
  const media = one('video, audio', player);
  let hasBegun = false;
  let isCounted = false;
  // Count one play, however often it is reported.
  const count = (isLast) => {
    if (!hasBegun || isCounted) return;
    isCounted = true;
    fetch(player.dataset.plays, { method: 'POST', keepalive: isLast })
      .then(async (answer) => {
        if (answer.ok) one('[data-played]').textContent = await answer.text();
      })
      .catch(() => { isCounted = false; });
  };
  media.addEventListener('playing', () => { hasBegun = true; });
  media.addEventListener('ended', () => count(false));
  addEventListener('pagehide', () => count(true));

  // If this browser cannot play a recording, play a copy, which is made first if necessary.
  const copying = one('[data-copying]', player);
  const giveUp = (reason) => {
    copying.hidden = true;
    const line = one('[data-unplayable]', player);
    if (reason) line.textContent = sentence(reason);
    line.hidden = false;
  };
  const made = (id) => new Promise((resolve, reject) => {
    const events = new EventSource(`/api/1/recordings/${id}/copy/events`);
    const end = (done) => { events.close(); done(); };
    events.addEventListener('progress', (event) => {
      one('progress', copying).value = JSON.parse(event.data).done;
    });
    events.addEventListener('finished', () => end(resolve));
    events.addEventListener('failed',
      (event) => end(() => reject(new Error(JSON.parse(event.data).detail))));
    events.onerror = () => end(() => reject(new Error()));
  });
  let wantsCopy = false;
  const useCopy = async () => {
    const id = player.dataset.copy;
    if (!id) return giveUp();
    if (wantsCopy) return;
    wantsCopy = true;
    const isPlaying = media.autoplay || !media.paused;
    copying.hidden = false;
    try {
      const answer = await fetch(`/api/1/recordings/${id}/copy`, { method: 'POST' });
      if (!answer.ok) return giveUp((await answer.json()).detail);
      if (answer.status === 202) await made(id);
      delete player.dataset.copy;
      media.src = `/media/${id}/copy`;
      copying.hidden = true;
      if (isPlaying || 'wanted' in player.dataset) media.play().catch(() => {});
    } catch (error) { giveUp(error instanceof TypeError ? '' : error.message); }
  };
  media.addEventListener('error', useCopy);
  // Some browsers play the sound of a picture that they cannot show.
  media.addEventListener('loadedmetadata', () => { if (media.videoWidth === 0) useCopy(); });
  if (!media.canPlayType(media.dataset.type)) useCopy();

  control(player, media);
}

// The page's own controls, in place of the browser's.
function control(player, media) {
  const part = (name) => one(`[data-${name}]`, player);
  const [toggle, position, past, now] = ['toggle', 'position', 'past', 'now'].map(part);
  media.controls = false;
  const play = () => {
    // The copy that is being made plays when it is ready.
    if (media.error) player.dataset.wanted = '';
    if (media.paused) media.play().catch(() => {}); else media.pause();
  };
  const show = () => {
    const lines = all('[data-at]');
    const length = Number.isFinite(media.duration) ? media.duration : Number(position.max);
    const time = Math.min(media.currentTime, length);
    position.value = time;
    position.setAttribute('aria-valuetext', `${clock(time)} of ${lengthText(length)}`);
    past.style.clipPath = `inset(0 ${100 - 100 * time / length}% 0 0)`;
    now.textContent = media.ended ? lengthText(length) : clock(time);
    const said = lines.findLast((line) => Number(line.dataset.at) <= time + 0.01);
    for (const line of lines) {
      if (line === said && time > 0) line.setAttribute('aria-current', 'true');
      else line.removeAttribute('aria-current');
    }
  };
  const move = (seconds) => {
    const length = Number.isFinite(media.duration) ? media.duration : Number(position.max);
    media.currentTime = Math.max(0, Math.min(seconds, length));
    show();
  };
  for (const name of ['timeupdate', 'seeking', 'loadedmetadata', 'ended']) {
    media.addEventListener(name, show);
  }
  media.addEventListener('loadedmetadata', () => {
    if (Number.isFinite(media.duration)) position.max = media.duration;
    media.classList.toggle('portrait', media.videoHeight > media.videoWidth);
  });
  for (const name of ['play', 'pause', 'ended']) {
    media.addEventListener(name, () => {
      const isPlaying = !media.paused && !media.ended;
      toggle.classList.toggle('playing', isPlaying);
      toggle.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    });
  }
  toggle.addEventListener('click', play);
  media.addEventListener('click', play);
  position.addEventListener('input', () => move(Number(position.value)));
  const steps = {
    ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -15, PageUp: 15,
  };
  position.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    move(media.currentTime + step);
  });
  for (const button of all('[data-skip]', player)) {
    button.addEventListener('click', () => move(media.currentTime + Number(button.dataset.skip)));
  }
  // The space bar plays and arrows move, except where they type, press or choose something.
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const types = 'select, textarea, input:not([type=range])';
    if (event.key === ' ') {
      if (event.target.closest(`button, summary, ${types}`) || event.repeat) return;
      event.preventDefault();
      play();
    } else if (/^Arrow(Left|Right)$/.test(event.key)) {
      if (event.target.closest(`[type=range], ${types}`)) return;
      event.preventDefault();
      move(media.currentTime + steps[event.key]);
    }
  });
  part('speed')?.addEventListener('change', (event) => {
    media.playbackRate = Number(event.target.value);
  });
  part('volume')?.addEventListener('input', (event) => { media.volume = event.target.value; });
  const captions = part('captions');
  captions?.addEventListener('click', () => {
    const track = media.textTracks[0];
    const isOn = track.mode !== 'showing';
    track.mode = isOn ? 'showing' : 'hidden';
    captions.setAttribute('aria-pressed', isOn);
  });
  part('whole')?.addEventListener('click', () => media.requestFullscreen().catch(() => {}));
  media.addEventListener('fullscreenchange', () => {
    media.controls = document.fullscreenElement === media;
  });
  // A click on a sentence plays it.
  document.addEventListener('click', (event) => {
    const line = event.target.closest('[data-at]');
    if (!line) return;
    event.preventDefault();
    move(Number(line.dataset.at));
    media.play().catch(() => {});
  });
  for (const image of all('.scrub img', player)) {
    const hide = () => { image.hidden = true; };
    if (image.complete && !image.naturalWidth) hide();
    image.addEventListener('error', hide);
  }
  show();
  if (!media.paused) toggle.classList.add('playing');
  toggle.focus({ preventScroll: true });
}

// Save what was said in place, so that the recording goes on playing.
function saveWords(said) {
  for (const form of all('form.form', said)) {
    form.addEventListener('submit', async (event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      const say = (text) => {
        one('[role=alert]', form)?.remove();
        const line = Object.assign(document.createElement('p'), { textContent: text });
        line.setAttribute('role', 'alert');
        form.append(line);
      };
      try {
        const answer = await fetch(form.action, {
          method: 'POST', body: new URLSearchParams(new FormData(form)),
          headers: { Accept: 'text/html, application/problem+json' },
        });
        if (!answer.ok) return say(sentence((await answer.json()).detail));
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const saved = document.adoptNode(one('.said', page));
        saved.append(Object.assign(document.createElement('p'), {
          role: 'status', className: 'done', textContent: one('[data-notice]', page).textContent,
        }));
        said.replaceWith(saved);
        stayInTouchOnceTyped(saved);
        saveWords(saved);
        one('summary', saved).focus();
        for (const old of all('track')) {
          const captions = old.cloneNode();
          const { mode } = old.track;
          old.replaceWith(captions);
          captions.track.mode = mode;
        }
      } catch { say('The connection to Holdfast was lost. Try again.'); }
    });
  }
}
for (const said of all('.said')) saveWords(said);

// Show the progress and the findings of long work, such as a backup.
function watch(form) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const panel = one('template[data-panel]').content.firstElementChild.cloneNode(true);
    const [bar, count, state, lines, repair] =
      ['progress', '[data-count]', '[data-state]', '[data-lines]', 'form']
        .map((selector) => one(selector, panel));
    const [button, section] = [one('button', form), form.closest('section')];
    button.disabled = true;
    one('.panel', section)?.remove();
    section.append(panel);
    const end = (text, isAlert) => {
      for (const part of [bar, count]) part.hidden = true;
      if (isAlert) state.setAttribute('role', 'alert');
      state.textContent = text;
      button.disabled = false;
    };
    const take = {
      progress: ({ done, total }) => {
        [bar.max, bar.value] = [Math.max(total, 1), done];
        count.textContent = `${done} of ${total}`;
      },
      line: ({ text }) =>
        lines.append(Object.assign(document.createElement('li'), { textContent: text })),
      finished: (result) => {
        end(result.text);
        one('[data-details]', panel).textContent = result.details ?? '';
        one('[data-before]', section)?.remove();
        if (!result.repair) return;
        watch(repair);
        repair.hidden = false;
      },
      failed: ({ text }) => end(text, true),
    };
    try {
      const answer = await fetch(form.getAttribute('action'), {
        method: 'POST', body: new URLSearchParams(new FormData(form)),
        headers: { Accept: 'text/event-stream, application/problem+json' },
      });
      if (!answer.ok) return end(sentence((await answer.json()).detail), true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const events = (rest + piece.value).split('\n\n');
        rest = events.pop();
        for (const text of events) {
          const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(text);
          take[name](JSON.parse(data));
        }
      }
    } catch { /* The server has ended. */ }
    if (button.disabled) end('The connection to Holdfast was lost.', true);
  });
}
for (const form of all('[data-run]')) watch(form);

// Upload files side by side, with the progress of each.
const list = one('[data-uploads]');
const setText = (item, text, isAlert) => {
  const line = one('[data-state]', item);
  line.textContent = text;
  if (isAlert) line.setAttribute('role', 'alert');
};

const fail = (item, text, what = 'refused') => {
  one('progress', item).hidden = true;
  setText(item, text, true);
  summarize(item, what, 1);
  return null;
};

// Once nothing is on its way, say in one line what came in.
function summarize(item, what, count) {
  [item.dataset.result, item.dataset.count] = [what, count];
  const line = one('[data-summary]');
  line.hidden = true;
  if (all('progress:not([hidden])', list).length) return;
  const sum = (result) => all(`[data-result=${result}]`, list)
    .reduce((total, other) => total + Number(other.dataset.count), 0);
  const noun = (number) => `${number} ${number === 1 ? 'recording' : 'recordings'}`;
  const words = sum('added') ? [`${noun(sum('added'))} added.`] : [];
  if (sum('known')) words.push(`${sum('known')} already in your library.`);
  if (sum('waiting')) words.push(`${sum('waiting')} too long: choose below.`);
  if (sum('refused')) words.push(`${sum('refused')} not added.`);
  line.textContent = words.join(' ');
  // A single file says its own reason.
  line.hidden = !sum('added') && list.children.length === 1;
}

// Send a file, and follow its import. Returns its first recording; null if it was refused.
function upload(blob, name, fields, item) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ name, ...fields });
    request.open('POST', `/api/1/imports?${query}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = (event) => {
      one('progress', item).value = event.loaded / event.total * 0.5;
      setText(item, 'Copying to this computer’s library…');
    };
    request.onerror = () => resolve(fail(item,
      'The connection to Holdfast was lost. Nothing of this file was kept; try again.'));
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* The status says it. */ }
      resolve(request.status === 202 ? follow(answer.id, item)
        : fail(item, sentence(answer.detail ?? 'Something went wrong')));
    };
    request.send(blob);
  });
}

function follow(id, item) {
  return new Promise((resolve) => {
    const events = new EventSource(`/api/1/imports/${id}/events`);
    events.addEventListener('progress', (event) => {
      one('progress', item).value = 0.5 + JSON.parse(event.data).done * 0.5;
      setText(item, 'Checking and converting…');
    });
    events.addEventListener('finished', (event) => {
      events.close();
      const result = JSON.parse(event.data);
      if (result.error) {
        const isLong = result.code === 'overLimit';
        if (isLong) offer(id, item, result.error);
        return resolve(fail(item, sentence(result.error), isLong ? 'waiting' : 'refused'));
      }
      showAdded(result, item);
      resolve(result.recordings[0]);
    });
    events.onerror = () => {
      events.close();
      resolve(fail(
        item, 'The connection to Holdfast was lost. Recordings shows whether it was kept.'));
    };
  });
}

// Offer what can be done with a file that is too long. Holdfast still has it.
function offer(id, item, reason) {
  const form = one('[data-choice]', item);
  const seconds = /([\d:]+) long/.exec(reason)?.[1].split(':')
    .reduce((sum, number) => sum * 60 + Number(number), 0);
  const parts = Math.ceil(seconds / 120);
  if (parts) one('[data-parts]', form).textContent = ` into ${parts} parts`;
  form.hidden = false;
  // What waits for an answer comes first.
  list.prepend(item);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    form.hidden = true;
    if (event.submitter.value === 'trim') item.dataset.kept = 'the first 2 minutes of ';
    one('[data-state]', item).removeAttribute('role');
    Object.assign(one('progress', item), { hidden: false, value: 0.5 });
    one('[data-summary]').hidden = true;
    setText(item, 'Checking and converting…');
    try {
      const answer = await fetch(`/api/1/imports/${id}/choice?over=${event.submitter.value}`,
        { method: 'POST' });
      const result = await answer.json();
      if (!answer.ok) return fail(item, sentence(result.detail));
      goOn(await follow(result.id, item));
    } catch { fail(item, 'The connection to Holdfast was lost. Try again.'); }
  }, { once: true });
}

// Say what came in, with a field to name each recording.
function showAdded(result, item) {
  one('progress', item).hidden = true;
  const [state, name] = [one('[data-state]', item), one('[data-name]', item)];
  const isKnown = result.event === 'skipped';
  name.hidden = true;
  state.replaceChildren();
  for (const recording of result.recordings) {
    const came = one('template[data-came]').content.firstElementChild.cloneNode(true);
    const [picture, link] = [one('img', came), one('a', came)];
    const isVideo = recording.type === 'video';
    picture.src = `/${isVideo ? 'thumbnails' : 'waveforms'}/${recording.id}`;
    picture.classList.toggle('wave', !isVideo);
    link.href = `/recordings/${recording.id}?play`;
    link.textContent = recording.displayTitle;
    one('.detail', came).textContent =
      isKnown ? 'Already in your library' : `Added: ${item.dataset.kept ?? ''}${name.textContent}`;
    state.append(came);
    if (isKnown || one('[data-recorder]').dataset.then) continue;
    const naming = one('template[data-naming]').content.firstElementChild.cloneNode(true);
    naming.open = list.children.length === 1 && result.recordings.length === 1;
    one('input', naming).value = recording.title ?? '';
    naming.addEventListener('submit', (event) => {
      event.preventDefault();
      giveName(recording.id, naming, link);
    });
    state.append(naming);
  }
  for (const warning of result.warnings ?? []) {
    state.append(Object.assign(document.createElement('p'),
      { className: 'hint', textContent: sentence(warning) }));
  }
  summarize(item, isKnown ? 'known' : 'added', result.recordings.length);
}

async function giveName(id, naming, link) {
  const title = one('input', naming).value;
  let text = 'The connection to Holdfast was lost. Try again.';
  let isSaved = false;
  try {
    const answer = await fetch(`/api/1/recordings/${id}`, {
      method: 'PATCH', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    const result = await answer.json();
    isSaved = answer.ok;
    text = isSaved ? 'Saved.' : sentence(result.detail);
    if (isSaved) link.textContent = result.displayTitle;
  } catch { /* The text says it. */ }
  one('[role=status]', naming.parentElement)?.remove();
  const line = Object.assign(document.createElement('p'),
    { role: 'status', textContent: text, className: isSaved ? 'done' : '' });
  naming.after(line);
  naming.open = !isSaved;
  if (isSaved) one('summary', naming).textContent = 'Change the name';
}

// Go back to the journal's page that asked for the recording.
function goOn(recording) {
  const then = one('[data-recorder]')?.dataset.then;
  if (recording && then) location.assign(`${then}?recording=${recording.id}`);
}

function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function addItem(name) {
  const item = one('template[data-upload]').content.firstElementChild.cloneNode(true);
  one('[data-name]', item).textContent = name;
  list.append(item);
  return item;
}

const files = one('[data-files]');
if (files && list) {
  const take = async (chosen) => {
    const items = [...chosen].map((file) => [file, addItem(file.name)]);
    let last;
    const next = async () => {
      for (let job = items.shift(); job; job = items.shift()) {
        last = await upload(job[0], job[0].name, {}, job[1]) ?? last;
      }
    };
    await Promise.all([next(), next()]);
    goOn(last);
  };
  one('input[type=file]', files).addEventListener('change', (event) => {
    take(event.target.files);
    event.target.value = '';
  });
  one('[data-without-script]', files)?.remove();
  const drop = one('.drop', files);
  for (const name of ['dragenter', 'dragover']) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add('over'); });
  }
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    take(event.dataTransfer.files);
  });
}

// Say which photos were chosen, as their field is out of sight.
for (const input of all('.drop input[type=file]')) {
  if (input.closest('[data-files]')) continue;
  const chosen = document.createElement('p');
  chosen.setAttribute('role', 'status');
  input.closest('.drop').append(chosen);
  input.addEventListener('change', () => {
    chosen.textContent = [...input.files].map((file) => file.name).join(', ');
  });
}

// Recording.
const recorder = one('[data-recorder]');
if (recorder && list) {
  const longest = 119.5;
  const part = (name) => one(`[data-${name}]`, recorder);
  let kind, stream, media, chunks, blob, began, ticking, context, isWanted;
  // The loudest sample of each moment, from 0 to 127.
  let levels = [];
  const help = part('hint').textContent;
  const show = (name) => {
    for (const step of all('[data-step]', recorder)) step.hidden = step.dataset.step !== name;
    // Show one step at a time.
    for (const other of all('[data-files]')) other.hidden = name !== 'choose';
    part('level').hidden = name !== 'recording';
    part('preview').hidden = name !== 'recording' || kind !== 'video';
    if (name !== 'choose') one(`[data-step=${name}] button.large`, recorder).focus();
  };
  const stopStream = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    context?.close();
    context = undefined;
  };
  // Draw how loud it was, as in the picture that the library makes of what is kept.
  const drawHeard = (canvas) => {
    const pen = canvas.getContext('2d');
    const [count, width] = [160, canvas.width / 160];
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = getComputedStyle(canvas).color;
    for (let bar = 0; bar < count; bar += 1) {
      const [from, to] = [bar, bar + 1].map((end) => Math.floor(end * levels.length / count));
      const height = Math.max(2, ...levels.slice(from, Math.max(to, from + 1)));
      pen.fillRect(bar * width, (canvas.height - height) / 2, width - 2, height);
    }
  };
  const draw = (analyser, canvas) => {
    const samples = new Uint8Array(analyser.fftSize);
    const pen = canvas.getContext('2d');
    const frame = () => {
      if (!context) return;
      analyser.getByteTimeDomainData(samples);
      levels.push(Math.max(...samples) - 128);
      const style = getComputedStyle(canvas);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      [pen.strokeStyle, pen.lineWidth] = [style.color, 4];
      pen.beginPath();
      samples.forEach((sample, index) => {
        pen.lineTo(index * canvas.width / samples.length, sample / 255 * canvas.height);
      });
      pen.stroke();
      requestAnimationFrame(frame);
    };
    frame();
  };
  const begin = async (chosen) => {
    kind = chosen;
    part('problem').textContent = '';
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: kind === 'video' });
    } catch (error) {
      const device = kind === 'video' ? 'camera' : 'microphone';
      part('problem').textContent = error.name === 'NotFoundError'
        ? `This computer has no ${device} that the browser can use. You can choose a file below.`
        : `The browser may not use the ${device}: allow it beside the address of this page, `
          + 'or choose a file below.';
      return;
    }
    const preview = part('preview');
    if (kind === 'video') { preview.srcObject = stream; preview.muted = true; preview.play(); }
    context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    record();
    draw(analyser, part('level'));
  };
  const stop = () => { clearInterval(ticking); if (media?.state === 'recording') media.stop(); };
  const record = () => {
    [chunks, levels] = [[], []];
    isWanted = true;
    media = new MediaRecorder(stream);
    media.ondataavailable = (event) => chunks.push(event.data);
    media.onstop = () => {
      stopStream();
      if (!isWanted) return show('choose');
      blob = new Blob(chunks, { type: media.mimeType });
      const player = part('listen');
      player.hidden = kind !== 'video';
      // The browser does not know the length of what it has just recorded.
      const length = (performance.now() - began) / 1000;
      part('position').max = length;
      part('length').textContent = lengthText(length);
      drawHeard(part('heard'));
      player.src = URL.createObjectURL(blob);
      show('listen');
    };
    began = performance.now();
    media.start(1000);
    show('recording');
    const tick = () => {
      const seconds = (performance.now() - began) / 1000;
      const left = Math.max(0, Math.ceil(120 - seconds));
      const text = `${clock(seconds)} of 2:00`;
      if (part('timer').textContent !== text) part('timer').textContent = text;
      const hint = left <= 15 ? `${left} s left` : seconds < 6 ? help : '';
      if (part('hint').textContent !== hint) part('hint').textContent = hint;
      if (seconds >= longest) stop();
    };
    tick();
    ticking = setInterval(tick, 100);
  };
  const discard = () => {
    if (!confirm('Discard this recording? It can\'t be recovered.')) return;
    part('listen').pause();
    isWanted = false;
    blob = undefined;
    if (media.state === 'recording') stop(); else show('choose');
  };
  for (const button of all('[data-kind]', recorder)) {
    button.addEventListener('click', () => begin(button.dataset.kind));
  }
  part('stop').addEventListener('click', stop);
  part('back').addEventListener('click', discard);
  part('discard').addEventListener('click', discard);
  part('keep').addEventListener('click', async () => {
    const item = addItem(part('title').value || 'Recording');
    const name = `recording.${blob.type.includes('mp4') ? 'mp4' : 'webm'}`;
    part('keep').disabled = true;
    const kept = await upload(blob, name, {
      title: part('title').value, notes: part('notes').value, purpose: part('purpose').value,
      trim: '1',
    }, item);
    part('keep').disabled = false;
    if (!kept) return;
    blob = undefined;
    if (recorder.dataset.then) goOn(kept); else location.assign(`/recordings/${kept.id}?added`);
  });
  addEventListener('beforeunload', (event) => {
    if (blob || media?.state === 'recording') event.preventDefault();
  });
  recorder.hidden = false;
  control(one('.player', recorder), part('listen'));
  show('choose');
  if (recorder.dataset.only) {
    for (const button of all('[data-kind]', recorder)) {
      button.hidden = button.dataset.kind !== recorder.dataset.only;
    }
  }
}
