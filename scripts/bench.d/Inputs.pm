# Makes what is measured with, by the ffmpeg command: the same bytes each time, in a folder that goes
# when the bench is over. What two rows need is made once.
package Inputs;
use strict;
use warnings;
use Exporter qw(import);
use List::Util qw(max min);
use POSIX qw(ceil);
use Measure qw(run);

our @EXPORT_OK = qw(clips hlg_clips prores unencoded voice_notes);

my @ffmpeg = qw(ffmpeg -nostdin -v error -y);
my $rate = "30000/1001"; # as phones record
my $picture = 1001 / 30000;

sub folder {
  my ($path) = @_;
  -d $path or mkdir $path or die "$path: $!\n";
  return $path;
}

# Pictures of which none is like another, with the grain that makes a phone's pictures large.
sub moving {
  my ($size, $seconds, $grain) = @_;
  return "testsrc2=size=$size:rate=$rate:duration=$seconds,noise=alls=$grain:allf=t:all_seed=1";
}

# Files of one group of pictures each, cut out of one stream: encoding is what takes the time.
sub groups {
  my ($name, $size, $grain, $count, $pictures, @encoder) = @_;
  my $folder = folder($name);
  return $folder if -e "$folder/made";
  run(@ffmpeg, "-f", "lavfi", "-i", moving($size, $count * $pictures * $picture, $grain), @encoder,
    qw(-f segment -segment_time 0.01 -reset_timestamps 1 -segment_format mov), "$folder/%d.mov");
  open(my $made, ">", "$folder/made") or die "$folder: $!\n";
  return $folder;
}

# A clip of some seconds, made of the groups from `first` on, with sound.
sub join_groups {
  my ($groups, $first, $count, $seconds, $sound, $output, @options) = @_;
  open(my $list, ">", "$output.list") or die "$output: $!\n";
  print $list "file '$groups/$_.mov'\n" for $first .. $first + $count - 1;
  close $list or die "$output: $!\n";
  run(@ffmpeg, qw(-f concat -safe 0 -i), "$output.list", "-i", $sound,
    qw(-map 0:v -map 1:a -c copy -t), $seconds, @options, $output);
  unlink "$output.list";
}

# Two minutes of stereo AAC.
sub sound {
  my ($folder) = @_;
  my $path = "$folder/sound.m4a";
  run(@ffmpeg, qw(-f lavfi -i anoisesrc=color=pink:seed=1:duration=120 -ac 2 -c:a aac -b:a 128k), $path)
    if !-e $path;
  return $path;
}

# So many clips that last `seconds` or a little more: no two begin with the same group of pictures and
# are of the same length.
sub cut {
  my ($folder, $name, $groups, $distinct, $group, $count, $seconds) = @_;
  my $clips = folder("$folder/$name");
  my $sound = sound($folder);
  return map {
    my $length = $seconds + int($_ / $distinct) * 0.5;
    my $path = sprintf("%s/IMG_%04d.MOV", $clips, $_);
    join_groups($groups, $_ % $distinct, ceil($length / $group), $length, $sound, $path) if !-e $path;
    $path;
  } 0 .. $count - 1;
}

# 1080p H.264 as phones record it: 17 Mbit/s, keyframes of 200 kB; with so many pictures from one keyframe to the next.
sub clips {
  my ($folder, $name, $count, $seconds, $pictures) = @_;
  my $group = $pictures * $picture;
  # Long groups are few: one of 8 s takes as long to make as the clip itself.
  my $distinct = min($count, $pictures > 60 ? 20 : 100);
  my $needed = $distinct + ceil(($seconds + $count / $distinct * 0.5) / $group);
  my $groups = groups("$folder/h264-$pictures-$needed", "1920x1080", 6, $needed, $pictures,
    qw(-c:v libx264 -preset ultrafast -pix_fmt yuv420p -b:v 17M -maxrate 17M -bufsize 2M -x264-params),
    "cabac=1:deblock=1,0,0:8x8dct=1:partitions=all:scenecut=0:keyint=$pictures:min-keyint=$pictures");
  return cut($folder, $name, $groups, $distinct, $group, $count, $seconds);
}

# 4K HEVC main10 HLG, as phones record high dynamic range: keyframes every 1.001 s, of 300 kB.
sub hlg_clips {
  my ($folder, $name, $count, $seconds) = @_;
  my $distinct = min($count, 20);
  my $needed = $distinct + ceil($seconds + $count / $distinct * 0.5);
  my $groups = groups("$folder/hevc-$needed", "3840x2160", 4, $needed, 30,
    qw(-pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -tag:v hvc1 -b:v 30M),
    qw(-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc -color_range tv),
    "-x265-params", "log-level=error:bframes=0:scenecut=0:keyint=30:min-keyint=30:vbv-maxrate=30000"
      . ":vbv-bufsize=3000:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:range=limited");
  return cut($folder, $name, $groups, $distinct, 30 * $picture, $count, $seconds);
}

# What a browser records, and no Apple player takes.
sub unencoded {
  my ($folder, $seconds) = @_;
  my $path = "$folder/browser.webm";
  run(@ffmpeg, "-f", "lavfi", "-i", moving("1920x1080", $seconds, 6),
    qw(-f lavfi -i), "anoisesrc=color=pink:seed=2:duration=$seconds", qw(-ac 2 -pix_fmt yuv420p),
    qw(-c:v libvpx -deadline realtime -cpu-used 12 -threads 4 -b:v 8M -c:a libopus -b:a 96k), $path)
    if !-e $path;
  return $path;
}

# What a phone records for an editor: high dynamic range that is too large to keep.
sub prores {
  my ($folder, $seconds) = @_;
  my $path = "$folder/prores.mov";
  # The frames must say so as well: ProRes has it in each.
  run(@ffmpeg, "-f", "lavfi", "-i", moving("1920x1080", $seconds, 6), "-vf",
    "format=yuv422p10le,setparams=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc:range=tv",
    qw(-c:v prores_ks -profile:v hq -color_primaries bt2020),
    qw(-color_trc arib-std-b67 -colorspace bt2020nc -color_range tv), $path)
    if !-e $path;
  return $path;
}

# Voice notes as messengers record them.
sub voice_notes {
  my ($folder, $count, $seconds) = @_;
  my $notes = folder("$folder/voice");
  return map {
    my $path = sprintf("%s/PTT-%04d.opus", $notes, $_);
    run(@ffmpeg, qw(-f lavfi -i),
      "anoisesrc=color=pink:amplitude=0.5:seed=$_:duration=$seconds,tremolo=f=4:d=0.8",
      qw(-ar 48000 -ac 1 -c:a libopus -b:a 24k), $path)
      if !-e $path;
    $path;
  } 1 .. $count;
}

1;
