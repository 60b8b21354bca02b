# Runs programs, and says how long they took, how much memory, and how often they had the disk flush.
#
# A contestant is { name, command, before, warm }: what is run as a list of words; what is done first
# and does not count; and a shorter command to warm up with, where one round is long.
package Measure;
use strict;
use warnings;
use Exporter qw(import);
use File::Copy qw(copy);
use List::Util qw(max min);
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(compare holdfast_program median peak_memory run slow_seconds syncs timed wrap_programs);

my ($folder, $holdfast); # where this module keeps its files; the program of which workers are known

# The program to measure: the one that is named, else a release build.
sub holdfast_program {
  my ($scripts) = @_;
  return $ENV{HOLDFAST_PROGRAM} if $ENV{HOLDFAST_PROGRAM};
  chomp(my $programs = `'$scripts/build' holdfast holdfast-worker HoldfastBench`);
  exit 1 if $?;
  return "$programs/holdfast";
}

# Lays a copy of the program into a folder, beside a worker whose memory is written down at its end.
sub wrap_programs {
  ($holdfast, $folder) = @_;
  my $wrapped = "$folder/wrapped";
  mkdir $wrapped or die "$wrapped: $!\n";
  copy($holdfast, "$wrapped/holdfast") or die "$holdfast: $!\n";
  (my $worker = $holdfast) =~ s/[^\/]*$/holdfast-worker/;
  open(my $script, ">", "$wrapped/holdfast-worker") or die "$wrapped: $!\n";
  # A worker is told nothing of the PATH.
  print $script "#!/bin/sh\necho started >>'$folder/started'\n"
    . "exec /usr/bin/time -q -f %M -a -o '$folder/peaks' '$worker' \"\$@\"\n";
  close $script or die "$wrapped: $!\n";
  chmod 0755, "$wrapped/holdfast", "$wrapped/holdfast-worker";
}

# Runs a command whose output nobody wants, and stops everything if it fails.
sub run {
  my @command = @_;
  my $pid = fork // die "fork: $!\n";
  if (!$pid) {
    open(STDIN, "<", "/dev/null");
    open(STDOUT, ">", "/dev/null");
    open(STDERR, ">", "$folder/errors");
    exec { $command[0] } @command or die "$command[0]: $!\n";
  }
  waitpid($pid, 0);
  return if $? == 0;
  my ($status, $said) = ($?, join "", lines("$folder/errors"));
  die join(" ", @command[0 .. min(8, $#command)]) . " ended with status " . ($status >> 8) . ": $said\n";
}

sub lines {
  open(my $file, "<", $_[0]) or return ();
  return <$file>;
}

# The seconds that a contestant takes, after whatever must be done before.
sub timed {
  my ($contestant, @prefix) = @_;
  $contestant->{before}->() if $contestant->{before};
  my $begin = time;
  run(@prefix, @{ $contestant->{command} });
  return time - $begin;
}

sub median {
  my @sorted = sort { $a <=> $b } @_;
  return @sorted % 2 ? $sorted[$#sorted / 2] : ($sorted[@sorted / 2 - 1] + $sorted[@sorted / 2]) / 2;
}

# Both in turn, so that they meet the same weather; who is first changes each time.
#
# Returns the median of each, and what the second takes of the first's time: median, least, most.
sub compare {
  my ($ours, $theirs, $rounds) = @_;
  for my $contestant ($ours, $theirs) {
    next if $contestant->{is_warm}++;
    timed({ %$contestant, command => $contestant->{warm} // $contestant->{command} });
  }
  my (@ours, @theirs);
  for my $round (1 .. $rounds) {
    push @ours, timed($ours) if $round % 2;
    push @theirs, timed($theirs);
    push @ours, timed($ours) if $round % 2 == 0;
  }
  my @ratios = map { $theirs[$_] / $ours[$_] } 0 .. $#ours;
  return {
    ours => median(@ours), theirs => median(@theirs),
    ratio => median(@ratios), lowest => min(@ratios), highest => max(@ratios),
  };
}

# How often a contestant asks that something be on the disk.
sub syncs {
  my ($contestant) = @_;
  unlink "$folder/trace";
  timed($contestant, qw(strace -f -qq --seccomp-bpf -e signal=none -o), "$folder/trace",
    "-e", "trace=fsync,fdatasync,sync_file_range,syncfs,sync,msync");
  # A call that another thread interrupts takes two lines.
  return scalar grep { /sync\w*\(/ } lines("$folder/trace");
}

# The seconds on a disk that takes 3 ms for a flush.
sub slow_seconds {
  my ($contestant) = @_;
  return timed($contestant, qw(strace -f -qq --seccomp-bpf -e signal=none -o /dev/null),
    "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_exit=3000");
}

# The most memory in MB that any process of a contestant's held at a time, workers included.
sub peak_memory {
  my ($contestant) = @_;
  my @command = @{ $contestant->{command} };
  unlink "$folder/started", "$folder/peaks";
  $command[0] = "$folder/wrapped/holdfast" if $command[0] eq $holdfast;
  timed({ %$contestant, command => ["time", "-q", "-f", "%M", "-a", "-o", "$folder/peaks", @command] });
  # A worker may outlive the program by a moment; one that was killed says nothing.
  for (1 .. 100) {
    my ($ended, $started) = map { scalar(my @lines = lines("$folder/$_")) } qw(peaks started);
    last if $ended > $started;
    sleep 0.02;
  }
  return max(map { $_ / 1024 } lines("$folder/peaks"));
}

1;
