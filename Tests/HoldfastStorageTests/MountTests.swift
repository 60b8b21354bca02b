import HoldfastStorage
import Testing

@Suite("The filesystem of a library")
struct MountTests {
  private let table = """
    21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    36 21 0:33 / /mnt/a\\040-\\040b rw master:1 propagate_from:2 - nfs4 server:/x - rw,vers=4.2
    361 21 0:34 / /mnt/a rw - fuse.sshfs you@there:/ rw
    40 21 0:35 / /mnt/c rw
    """

  @Test("is found by the mount's number, however many fields there are")
  func number() {
    #expect(Mount.type(ofMount: "21", in: table) == "ext4")
    #expect(Mount.type(ofMount: "36", in: table) == "nfs4")
    #expect(Mount.type(ofMount: "361", in: table) == "fuse.sshfs")
    #expect(Mount.type(ofMount: "40", in: table) == nil)
    #expect(Mount.type(ofMount: "3", in: table) == nil)
  }

  @Test(
    "may be another computer's as well",
    arguments: [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "ceph", "glusterfs", "fuse",
      "fuse.sshfs",
      "fuse.rclone", "fuse.gocryptfs", "fuse.glusterfs", "fuse.unheard-of",
    ])
  func network(type: String) { #expect(Mount.isNetwork(type)) }

  @Test(
    "is this computer's alone",
    arguments: [
      "ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "vfat", "exfat", "ntfs3", "fuseblk",
      "fuse.fuse-overlayfs",
    ])
  func local(type: String) { #expect(!Mount.isNetwork(type)) }
}
