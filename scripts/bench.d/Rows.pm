# What is measured, against what, and how it should come out.
#
# A row is a function of the place (where programs and inputs are, how many items there are) that gives
# benches: { what, items, ours, against, rounds, most_syncs, most_memory, most_memory_ratio }.
#
#   ours         a contestant (see Measure)
#   against      contestants; at_least: how many times as fast as it Holdfast is to be; at_most: how
#                many times as long Holdfast may take, with `plus` seconds more
#   most_syncs   an item; most_memory in MB, most_memory_ratio times the first other contestant's
package Rows;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP qw(decode_json);
use Inputs qw(clips hlg_clips prores unencoded voice_notes);
use Measure qw(run);

our @EXPORT_OK = qw(fresh_library output_of rows sql_bench thumbnail_bench);

my @names = qw(thumbnails thumbnails-4k import encode encode-hdr voice probe verify list startup);
my %rows = (
  "thumbnails" => \&thumbnails, "thumbnails-4k" => \&thumbnails_4k, "import" => \&import_copies,
  "encode" => \&encode, "encode-hdr" => \&encode_hdr, "voice" => \&voice, "probe" => \&probe, "verify" => \&verify,
  "list" => \&list, "startup" => \&startup,
);

# The rows of these names, or all: each a name and its function.
sub rows { map { [$_, $rows{$_} // die "There is no row $_; there are @names.\n"] } (@_ ? @_ : @names) }

sub output_of {
  open(my $pipe, "-|", @_) or die "$_[0]: $!\n";
  local $/;
  my $output = <$pipe>;
  close $pipe or die "$_[0] ended with status " . ($? >> 8) . "\n";
  return $output;
}

sub write_file {
  my ($path, @text) = @_;
  open(my $file, ">", $path) or die "$path: $!\n";
  print $file @text;
  close $file or die "$path: $!\n";
  return $path;
}

# A shell script as a contestant: what it does for each file, one after the other.
sub each_file {
  my ($script, @files) = @_;
  my @shell = ("bash", "-ec", "for f; do\n$script\ndone", "each");
  return (command => [@shell, @files], warm => [@shell, $files[0]]);
}

# The same by GNU parallel, as many at a time as there are cores.
sub each_in_parallel {
  my ($place, $name, $script, @files) = @_;
  my $each = write_file("$place->{folder}/$name.sh", "set -e\nf=\$1\n$script\n");
  my @parallel = ("parallel", "--will-cite", "--halt", "now,fail=1", "-j", $place->{cores}, "bash", $each, ":::");
  return (command => [@parallel, @files], warm => [@parallel, $files[0]]);
}

# A new library at a path, for each run: making it is no part of an import.
sub fresh_library {
  my ($place, $library) = @_;
  my $empty = "$place->{folder}/empty";
  run($place->{holdfast}, "init", $empty) if !-e $empty;
  return sub {
    system("rm", "-rf", $library) == 0 or die "$library cannot be removed\n";
    system("cp", "-a", $empty, $library) == 0 or die "$library cannot be made\n";
  };
}

sub import_contestant {
  my ($place, @paths) = @_;
  my $library = "$place->{folder}/library";
  return {
    name => "holdfast import", before => fresh_library($place, $library),
    command => [$place->{holdfast}, qw(import --quiet --library), $library, @paths],
  };
}

# Thumbnails of all that a library holds, which has the clips as they were made.
sub thumbnail_bench {
  my ($place, $name, $clips, $jobs) = @_;
  my $library = "$place->{folder}/$name.library";
  if (!-e $library) {
    run($place->{holdfast}, "init", $library);
    run($place->{holdfast}, qw(import --quiet --library), $library, @$clips);
  }
  return {
    name => "holdfast thumbnails --jobs $jobs",
    command => [$place->{holdfast}, qw(thumbnails --all --quiet --library), $library, "--jobs", $jobs],
  };
}

# The C loop, once for each job, each over its part of the clips, all at the same time.
sub c_loop {
  my ($place, $name, $clips, $jobs, @options) = @_;
  my $folder = "$place->{folder}/$name-limit";
  my @commands;
  for my $job (1 .. $jobs) {
    my @part = grep { defined } map { $clips->[$_ * $jobs + $job - 1] } 0 .. $#$clips / $jobs;
    my $list = write_file("$folder-$jobs-$job.list", map { "$_\n" } @part);
    system("mkdir", "-p", "$folder-$job") == 0 or exit 1;
    push @commands, "xargs -d '\\n' -a '$list' '$place->{limit}' @options '$folder-$job' & pids+=(\$!)\n";
  }
  return ["bash", "-ec", join("", "pids=()\n", @commands, 'for pid in "${pids[@]}"; do wait "$pid"; done')];
}

# `$most`: what may be taken of the C loop's time; `$filters`: what ffmpeg is told.
sub thumbnail_benches {
  my ($place, $name, $what, $clips, $filters, $goals) = @_;
  return () if !$place->{has_thumbnails};
  my ($cores, $output) = ($place->{cores}, "$place->{folder}/thumbnail.jpg");
  my @limits = (most_syncs => 2, items => scalar @$clips, most_memory => $goals->{memory});
  my $limit = sub {
    my ($jobs, $text, @options) = @_;
    { name => $text, command => c_loop($place, $name, $clips, $jobs, @options) }
  };
  my @benches = ({
    what => $what, @limits, ours => thumbnail_bench($place, $name, $clips, $cores),
    against => [
      { name => "ffmpegthumbnailer", at_least => $goals->{ffmpegthumbnailer},
        each_file("ffmpegthumbnailer -s 480 -q 8 -i \"\$f\" -o '$output'", @$clips) },
      { name => "ffmpeg -ss 1", at_least => $goals->{ffmpeg},
        each_file("ffmpeg -nostdin -v error -y -ss 1 -i \"\$f\" -frames:v 1 -vf '$filters' '$output'", @$clips) },
      { %{ $limit->($cores, "the C loop, once a core") }, at_most => $goals->{limit} },
      { %{ $limit->($cores, "the C loop with stream info", "-i") } },
    ],
  });
  push @benches, {
    what => "$what, one job", @limits, ours => thumbnail_bench($place, $name, $clips, 1),
    against => [{ %{ $limit->(1, "the C loop") }, at_most => $goals->{limit} }],
  } if $cores > 1;
  return @benches;
}

sub thumbnails {
  my ($place) = @_;
  my $count = $place->{quick} ? 3 : $place->{clips} // 100;
  my @goals = ({ ffmpegthumbnailer => 20, ffmpeg => 12, limit => 1.15 });
  return map {
    my ($pictures, $seconds, $text) = @$_;
    thumbnail_benches($place, "thumbnails-$pictures",
      "thumbnails of $count 1080p H.264 clips, keyframes every $text s",
      [clips($place->{folder}, "clips-$pictures", $count, $seconds, $pictures)],
      "scale=480:-2:flags=area", @goals);
  } $place->{quick} ? [30, 2, "1.001"] : ([30, 5, "1.001"], [240, 9, "8"]);
}

sub thumbnails_4k {
  my ($place) = @_;
  my $count = $place->{quick} ? 3 : $place->{clips} // 100;
  return thumbnail_benches($place, "thumbnails-4k", "thumbnails of $count 4K HEVC main10 HLG clips",
    [hlg_clips($place->{folder}, "clips-4k", $count, 2)],
    "zscale=w=480:h=270:filter=bicubic:t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
      . "tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,format=yuv420p",
    { ffmpegthumbnailer => 8, ffmpeg => 9, limit => 1.4, memory => 250 });
}

sub import_copies {
  my ($place) = @_;
  my ($count, $seconds) = $place->{quick} ? (3, 2) : (20, 30);
  my @clips = clips($place->{folder}, "clips-import", $count, $seconds, 30);
  my $peers = "$place->{folder}/peers";
  mkdir $peers;
  # As a person would who puts these programs together.
  my $script = <<"  END";
out='$peers'/\$(basename "\$f" .MOV)
ffprobe -v error -show_format -show_streams -of json "\$f" >"\$out.json"
ffmpeg -nostdin -v error -y -i "\$f" -map 0:v:0 -map 0:a:0 -c copy -map_metadata -1 -movflags +faststart "\$out.mov"
ffmpeg -nostdin -v error -y -ss 1 -i "\$f" -frames:v 1 -vf scale=480:-2:flags=area "\$out.jpg"
sha256sum "\$f" "\$out.mov"
  END
  my $copies = "$place->{folder}/copies";
  return {
    what => "import of $count copyable clips of $seconds s", items => $count, most_syncs => 10,
    most_memory => 150, ours => import_contestant($place, @clips),
    against => [
      { name => "ffprobe, ffmpeg, ffmpeg, sha256sum", at_least => 4, each_file($script, @clips) },
      { name => "the same under GNU parallel", at_least => 2.5,
        each_in_parallel($place, "import", $script, @clips) },
      { name => "cp, sync, sha256sum", at_most => 3, syncs => 1,
        before => sub { system("rm", "-rf", $copies); mkdir $copies or die "$copies: $!\n" },
        command => ["bash", "-ec", 'cp -t "$0" "$@"; sync "$0"/* "$0"; sha256sum "$0"/*', $copies, @clips] },
    ],
  };
}

# ffmpeg with what Holdfast says that it did.
sub encode {
  my ($place) = @_;
  my $seconds = $place->{quick} ? 1 : 10;
  my $clip = unencoded($place->{folder}, $seconds);
  my $ours = import_contestant($place, $clip);
  $ours->{before}->();
  run(@{ $ours->{command} });
  my ($recording) = @{ decode_json(output_of($place->{holdfast}, qw(list --json --library), "$place->{folder}/library")) };
  my ($x264, $filters) = @{ $recording->{conversion}{settings} };
  $x264 =~ s/^libx264 // or die "not encoded by libx264: $x264\n";
  $filters =~ s/^filters // or die "not a chain of filters: $filters\n";
  my @x264 = map { my ($key, $value) = split /=/; $key = "profile:v" if $key eq "profile"; ("-$key", $value) } split / /, $x264;
  # See PictureTarget.processorOptions.
  push @x264, qw(-x264-params asm=AVX2) if grep { /\bavx512/ } Measure::lines("/proc/cpuinfo");
  return {
    what => "import of $seconds s of 1080p VP8 that must be encoded", items => 1, most_syncs => 10,
    most_memory_ratio => 1.15, ours => $ours,
    against => [{
      name => "ffmpeg, same settings", at_most => 1.03,
      command => [qw(ffmpeg -nostdin -v error -y -i), $clip, "-vf", $filters, qw(-vsync passthrough -c:v libx264),
        @x264, qw(-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -pix_fmt yuv420p),
        qw(-c:a aac -b:a 128k -map_metadata -1 -movflags +faststart), "$place->{folder}/encoded.mov"],
    }],
  };
}

# The same of high dynamic range, which stays.
sub encode_hdr {
  my ($place) = @_;
  my $seconds = $place->{quick} ? 1 : 5;
  my $clip = prores($place->{folder}, $seconds);
  my $ours = import_contestant($place, $clip);
  $ours->{before}->();
  run(@{ $ours->{command} });
  my ($recording) = @{ decode_json(output_of($place->{holdfast}, qw(list --json --library), "$place->{folder}/library")) };
  my ($x265, $filters) = @{ $recording->{conversion}{settings} };
  $x265 =~ s/^libx265 // or die "not encoded by libx265: $x265\n";
  $filters =~ s/^filters // or die "not a chain of filters: $filters\n";
  my @x265 = map { my ($key, $value) = split /=/; $key = "profile:v" if $key eq "profile"; ("-$key", $value) } split / /, $x265;
  # See PictureTarget.processorOptions.
  push @x265, "-x265-params", "log-level=none:info=0:frame-threads=2:pools=$place->{cores}:repeat-headers=0";
  return {
    what => "import of $seconds s of 1080p ProRes HLG that must be encoded", items => 1, most_syncs => 10,
    most_memory_ratio => 1.15, ours => $ours,
    against => [{
      name => "ffmpeg, same settings", at_most => 1.03,
      command => [qw(ffmpeg -nostdin -v error -y -i), $clip, "-vf", $filters, qw(-vsync passthrough -c:v libx265),
        @x265, qw(-colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67 -color_range tv),
        qw(-pix_fmt yuv420p10le -tag:v hvc1 -map_metadata -1 -movflags +faststart), "$place->{folder}/encoded.mov"],
    }],
  };
}

sub voice {
  my ($place) = @_;
  my ($count, $seconds) = $place->{quick} ? (4, 2) : (50, 30);
  my @notes = voice_notes($place->{folder}, $count, $seconds);
  my $script = "ffmpeg -nostdin -v error -y -i \"\$f\" -vn -c:a aac -b:a 64k -map_metadata -1"
    . " -movflags +faststart '$place->{folder}'/\$(basename \"\$f\").m4a";
  return {
    what => "import of $count voice notes of $seconds s", items => $count, most_syncs => 10,
    ours => import_contestant($place, @notes),
    against => [
      { name => "ffmpeg", at_least => 2.3, each_file($script, @notes) },
      { name => "ffmpeg under GNU parallel", at_least => 1.15,
        each_in_parallel($place, "voice", $script, @notes) },
    ],
  };
}

sub probe {
  my ($place) = @_;
  my ($clips, $notes, $seconds) = $place->{quick} ? (3, 1, 2) : (150, 50, 5);
  my @files = (
    clips($place->{folder}, "clips-30", $clips, $seconds, 30),
    voice_notes($place->{folder}, $notes, $place->{quick} ? 2 : 30),
  );
  return {
    what => "probe of " . @files . " files", items => scalar @files,
    ours => { name => "holdfast probe", command => [$place->{holdfast}, qw(probe --json), @files] },
    against => [
      { name => "ffprobe", at_least => 15,
        each_file('ffprobe -v error -show_format -show_streams -of json "$f"', @files) },
      { name => "mediainfo, one process", at_least => 3, command => [qw(mediainfo --Output=JSON), @files] },
      { name => "exiftool, one process", at_least => 2, command => [qw(exiftool -json), @files] },
    ],
  };
}

# A library in which every file is as large as a long recording, each with its row.
sub verify {
  my ($place) = @_;
  my $gigabytes = $place->{quick} ? 0.2 : $place->{gigabytes} // 4;
  my ($library, $sums) = ("$place->{folder}/large", "$place->{folder}/sums");
  run($place->{holdfast}, "init", $library);
  run($place->{holdfast}, qw(import --quiet --library), $library, "$place->{root}/fixtures/aac.m4a");
  my $count = $gigabytes * 10;
  run("bash", "-euc", <<'  END', $library, $count, $sums);
for ((i = 0; i < $1; i++)); do
  id=$(tr a-z A-Z </proc/sys/kernel/random/uuid)
  file=$0/Recordings/audio_$id.m4a
  (umask 077 && head -c 100000000 /dev/urandom >"$file")
  sha256sum "$file" >>"$2"
  hash=$(tail -n 1 "$2" | cut -d' ' -f1)
  sqlite3 "$0/catalog.sqlite" "
    CREATE TEMP TABLE copy AS SELECT * FROM recording LIMIT 1;
    UPDATE copy SET id = '$id', filePath = 'Recordings/audio_$id.m4a', fileSize = 100000000,
      fileSHA256 = '$hash', sourceSHA256 = '$hash', verifiedAt = NULL;
    INSERT INTO recording SELECT * FROM copy;"
done
  END
  my @files = map { /^\w+  (.*)\n/ ? $1 : () } Measure::lines($sums);
  return {
    what => "verify --deep of $gigabytes GB, cached", items => scalar @files,
    ours => { name => "holdfast verify --deep", command => [$place->{holdfast}, qw(verify --deep --quiet --library), $library] },
    against => [
      { name => "sha256sum -c", at_least => 6, command => [qw(sha256sum --quiet -c), $sums] },
      # 0.85 of its speed.
      { name => "swift-crypto, once a core", at_most => 1 / 0.85, command => [$place->{bench}, "hash", @files] },
    ],
  };
}

# A command against the sqlite3 program that runs the very same SQL, with its values in place.
sub sql_bench {
  my ($place, $library, @command) = @_;
  my $sql = "$place->{folder}/sql";
  my @ours = ($place->{holdfast}, @command, qw(--quiet --library), $library);
  run("bash", "-ec", 'HOLDFAST_TRACE_SQL=1 "${@:2}" 2>"$1"', "trace", $sql, @ours);
  return {
    what => join(" ", @command), items => 1, rounds => 15, ours => { name => "holdfast", command => \@ours },
    against => [{
      name => "sqlite3, same query", at_most => 1.5, plus => 0.03,
      command => ["bash", "-ec", 'sqlite3 -batch "$0" <"$1"', "$library/catalog.sqlite", $sql],
    }],
  };
}

sub list {
  my ($place) = @_;
  my $count = $place->{quick} ? 1000 : 100_000;
  my $library = "$place->{folder}/catalog-$count";
  local $ENV{HOLDFAST_PROGRAM} = $place->{holdfast};
  run("$place->{root}/scripts/make-catalog", $library, "--recordings", $count, qw(--cravings 10 --usage 10));
  my $bench = sql_bench($place, $library, "list");
  $bench->{what} = "list at $count recordings";
  return $bench;
}

sub startup {
  my ($place) = @_;
  fresh_library($place, "$place->{folder}/library")->();
  my $empty = "$place->{folder}/empty";
  return {
    what => "start-up: list of an empty library", items => 1, rounds => 25,
    ours => { name => "holdfast list", command => [$place->{holdfast}, qw(list --library), $empty] },
    against => [
      { name => "ffmpeg -version", at_most => 0.4, command => [qw(ffmpeg -version)] },
      { name => "sqlite3 .tables", at_most => 5, command => ["sqlite3", "$empty/catalog.sqlite", ".tables"] },
    ],
  };
}

1;
