# What one more import costs in ever larger libraries, and what each further job is worth.
package Scale;
use strict;
use warnings;
use Exporter qw(import);
use List::Util qw(max);
use Inputs qw(clips hlg_clips voice_notes);
use Measure qw(median peak_memory run timed);
use Report qw(machine);
use Rows qw(fresh_library thumbnail_bench);

our @EXPORT_OK = qw(print_scale scale);

sub scale {
  my ($place) = @_;
  return { machine => machine($place), libraries => libraries($place), jobs => jobs($place) };
}

# Of the rows that are only rows the first gets its file: all are looked for, one after the other, to tell
# a disk that is not there, until one is found.
my $first_file = <<'END';
cd "$0"
file=$(sqlite3 catalog.sqlite 'SELECT filePath FROM recording ORDER BY id LIMIT 1')
others=(Recordings/*."${file##*.}")
[ -e "$file" ] || cp "${others[0]}" "$file"
END

# One more clip at a time goes into each library in turn, the same for all.
sub libraries {
  my ($place) = @_;
  my $rounds = $place->{quick} ? 1 : $place->{rounds};
  my @clips = clips($place->{folder}, "clips-scale", $rounds + 1, 2, 30);
  my @sizes = $place->{quick} ? (0, 1000) : (0, 1000, 10_000, 100_000);
  local $ENV{HOLDFAST_PROGRAM} = $place->{holdfast};
  my (%seconds, %memory);
  for my $size (@sizes) {
    print STDERR "scale: a library of $size\n";
    my $library = "$place->{folder}/scale-$size";
    if ($size == 0) { fresh_library($place, $library)->() }
    else {
      run("$place->{root}/scripts/make-catalog", $library, "--recordings", $size, qw(--cravings 10 --usage 10));
      run("bash", "-ec", $first_file, $library);
    }
  }
  my $import = sub {
    my ($size, $clip) = @_;
    { command => [$place->{holdfast}, qw(import --quiet --library), "$place->{folder}/scale-$size", $clip] }
  };
  $memory{$_} = peak_memory($import->($_, $clips[0])) for @sizes;
  for my $clip (@clips[1 .. $rounds]) {
    push @{ $seconds{$_} }, timed($import->($_, $clip)) for @sizes;
  }
  return [map { {
    recordings => $_, seconds => median(@{ $seconds{$_} }), peakMemoryMB => $memory{$_},
    timesEmpty => median(@{ $seconds{$_} }) / median(@{ $seconds{0} }),
  } } @sizes];
}

# The same work by 1 job, 2, and so on up to the number of cores.
sub jobs {
  my ($place) = @_;
  my $rounds = $place->{quick} ? 1 : $place->{rounds};
  my $library = "$place->{folder}/library";
  my $import = sub {
    my ($what, $most_memory, @files) = @_;
    return [$what, $most_memory, sub {
      { before => fresh_library($place, $library),
        command => [$place->{holdfast}, qw(import --quiet --library), $library, "--jobs", $_[0], @files] }
    }];
  };
  my ($clips, $notes) = $place->{quick} ? (3, 4) : (20, 50);
  my @works = (
    $import->("import of $clips clips", 150,
      clips($place->{folder}, "clips-import", $clips, $place->{quick} ? 2 : 30, 30)),
    $import->("import of $notes voice notes", undef,
      voice_notes($place->{folder}, $notes, $place->{quick} ? 2 : 30)),
  );
  if ($place->{has_thumbnails}) {
    my $count = $place->{quick} ? 3 : $place->{clips} // 100;
    my @kinds = (["1080p", undef, clips($place->{folder}, "clips-30", $count, $place->{quick} ? 2 : 5, 30)]);
    push @kinds, ["4K", 250, hlg_clips($place->{folder}, "clips-4k", $count, 2)] if !$place->{quick};
    for (@kinds) {
      my ($name, $most_memory, @clips) = @$_;
      push @works, ["thumbnails of $count $name clips", $most_memory,
        sub { thumbnail_bench($place, "scale-$name", \@clips, $_[0]) }];
    }
  }
  return [map { work($place, $rounds, @$_) } @works];
}

sub work {
  my ($place, $rounds, $what, $most_memory, $contestant) = @_;
  print STDERR "scale: $what\n";
  my @jobs = 1 .. $place->{cores};
  my %memory = map { $_ => peak_memory($contestant->($_)) } @jobs;
  my %seconds;
  for (1 .. $rounds) { push @{ $seconds{$_} }, timed($contestant->($_)) for @jobs }
  return map {
    my $jobs = $_;
    {
      what => $what, jobs => $jobs, seconds => median(@{ $seconds{$jobs} }),
      speedUp => median(map { $seconds{1}[$_] / $seconds{$jobs}[$_] } 0 .. $rounds - 1),
      peakMemoryMB => $memory{$jobs}, mostMemoryMB => $most_memory,
    };
  } @jobs;
}

sub print_scale {
  my ($document) = @_;
  print "| recordings | one more import, ms | times an empty library's | memory, MB |\n| --- | --- | --- | --- |\n";
  printf "| %d | %.1f | %.2f | %.0f |\n", $_->{recordings}, $_->{seconds} * 1000, $_->{timesEmpty}, $_->{peakMemoryMB}
    for @{ $document->{libraries} };
  print "\n| | jobs | s | times as fast as one | memory of the largest process, MB |\n| --- | --- | --- | --- | --- |\n";
  printf "| %s | %d | %.2f | %.2f | %.0f%s |\n", $_->{what}, $_->{jobs}, $_->{seconds}, $_->{speedUp}, $_->{peakMemoryMB},
    defined $_->{mostMemoryMB} ? " (at most $_->{mostMemoryMB})" : ""
    for @{ $document->{jobs} };
}

1;
