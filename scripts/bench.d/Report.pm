# What came of the measuring, as JSON and as a table.
package Report;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP ();
use Measure ();

our @EXPORT_OK = qw(machine print_table row_of);

sub machine {
  my ($place) = @_;
  my ($model) = map { /^model name\s*:\s*(.*)/ ? $1 : () } Measure::lines("/proc/cpuinfo");
  my ($system) = map { /^PRETTY_NAME="(.*)"/ ? $1 : () } Measure::lines("/etc/os-release");
  my ($ffmpeg) = `ffmpeg -version` =~ /version (\S+)/;
  return { processor => $model, cores => $place->{cores} + 0, system => $system, ffmpeg => $ffmpeg };
}

sub rounded { my ($number, $places) = @_; defined $number ? 0 + sprintf("%.*f", $places, $number) : undef }
sub boolean { $_[0] ? JSON::PP::true : JSON::PP::false }

# One bench against one contestant. The ratio is how many times as fast Holdfast is, where that is what
# the target says; else how many times as long it takes.
sub row_of {
  my ($shared, $contestant, $pairs, $their_slow) = @_;
  my ($ours, $theirs) = @$pairs{qw(ours theirs)};
  my $is_faster = !defined $contestant->{at_most};
  my ($ratio, $lowest, $highest) = $is_faster
    ? @$pairs{qw(ratio lowest highest)} : map { 1 / $_ } @$pairs{qw(ratio highest lowest)};
  my $slow_ratio = ($their_slow // $theirs) / $shared->{slow};
  my %target = $is_faster ? (atLeast => $contestant->{at_least}) : (atMost => rounded($contestant->{at_most}, 3));
  $target{plusSeconds} = $contestant->{plus} if $contestant->{plus};
  my $is_reached = $contestant->{plus} ? $ours <= $theirs * $contestant->{at_most} + $contestant->{plus}
    : !$is_faster ? $ratio <= $contestant->{at_most}
    : !defined $contestant->{at_least} || $ratio >= $contestant->{at_least};
  return {
    bench => $shared->{bench}, what => $shared->{what}, items => $shared->{items},
    command => $shared->{holdfast_is}, contestant => $contestant->{name},
    holdfastSeconds => rounded($ours, 4), contestantSeconds => rounded($theirs, 4),
    ratioIs => $is_faster ? "times as fast" : "times as long", ratio => rounded($ratio, 3),
    spread => { lowest => rounded($lowest, 3), highest => rounded($highest, 3) },
    target => defined $contestant->{at_least} || !$is_faster ? \%target : undef,
    reached => boolean($is_reached),
    syncsPerItem => rounded($shared->{syncs}, 2), mostSyncsPerItem => $shared->{most_syncs},
    slowFlush => {
      holdfastSeconds => rounded($shared->{slow}, 4),
      ratio => rounded($is_faster ? $slow_ratio : 1 / $slow_ratio, 3),
    },
    peakMemoryMB => rounded($shared->{memory}, 1), mostMemoryMB => rounded($shared->{most_memory}, 1),
  };
}

sub seconds {
  my ($seconds) = @_;
  return $seconds < 1 ? sprintf("%.1f ms", $seconds * 1000) : sprintf("%.2f s", $seconds);
}

sub limited {
  my ($figure, $most) = @_;
  return defined $most ? sprintf("%s (at most %.4g)%s", $figure, $most, $figure <= $most ? "" : " **over**") : $figure;
}

sub target_text {
  my ($target) = @_;
  return "" if !$target;
  return "at least $target->{atLeast}x" if defined $target->{atLeast};
  return "at most $target->{atMost} of it" . ($target->{plusSeconds} ? " and " . seconds($target->{plusSeconds}) : "");
}

sub print_table {
  my ($document) = @_;
  my $machine = $document->{machine};
  print "$machine->{processor}, $machine->{cores} cores, $machine->{system}, FFmpeg $machine->{ffmpeg}\n\n";
  print "| | holdfast | against | takes | ratio (lowest–highest) | target | | with 3 ms a flush | flushes an item | memory, MB |\n";
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  my $before = "";
  for my $row (@{ $document->{rows} }) {
    my $unit = $row->{ratioIs} eq "times as fast" ? "x" : " of it";
    my $is_first = $row->{what} ne $before;
    $before = $row->{what};
    print "| ", join(" | ",
      $is_first ? ($row->{what}, seconds($row->{holdfastSeconds})) : ("", seconds($row->{holdfastSeconds})),
      $row->{contestant}, seconds($row->{contestantSeconds}),
      sprintf("%.2f%s (%.2f–%.2f)", $row->{ratio}, $unit, @{ $row->{spread} }{qw(lowest highest)}),
      target_text($row->{target}), !$row->{target} ? "" : $row->{reached} ? "reached" : "**not reached**",
      sprintf("%s, %.2f%s", seconds($row->{slowFlush}{holdfastSeconds}), $row->{slowFlush}{ratio}, $unit),
      $is_first ? (limited($row->{syncsPerItem}, $row->{mostSyncsPerItem}), limited($row->{peakMemoryMB}, $row->{mostMemoryMB}))
        : ("", "")), " |\n";
  }
}

1;
