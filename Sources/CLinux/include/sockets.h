#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Creates a pair of connected sockets, closed on exec. In Swift, SOCK_… are values of an
// enumeration.
static inline int holdfast_socket_pair(int sockets[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets);
}

// In Swift, SHUT_… are values of an enumeration.
static inline int holdfast_shut_down(int socket) { return shutdown(socket, SHUT_RDWR); }

// Macros lay out control messages, and Swift cannot import them.
enum { holdfast_most_descriptors = 3 };

union holdfast_control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(holdfast_most_descriptors * sizeof(int))];
};

// Sends as many bytes as there is room for. Open descriptors are sent beside the first of them
// (SCM_RIGHTS). Without room, fails with EAGAIN. If the other end is closed, fails with EPIPE and
// raises no signal.
//
// Without descriptors this is `sendto`. A worker may make no other sending call, so it can send no
// descriptors.
static inline ssize_t holdfast_send(
    int socket, const void *bytes, size_t size, const int *descriptors, int count) {
  if (count == 0) return send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  union holdfast_control control;
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  memset(&control, 0, sizeof control);
  message.msg_control = control.bytes;
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Receives bytes, and up to holdfast_most_descriptors descriptors beside them, closed on exec. The
// kernel closes descriptors that do not fit.
static inline ssize_t holdfast_receive(
    int socket, void *bytes, size_t size, int *descriptors, int *count) {
  union holdfast_control control;
  struct iovec piece = {.iov_base = bytes, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1,
      // Not the whole space, because it is rounded up and would have room for one more.
      .msg_control = control.bytes,
      .msg_controllen = CMSG_LEN(holdfast_most_descriptors * sizeof(int))};
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  *count = 0;
  if (received < 0) return received;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    *count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(descriptors, CMSG_DATA(header), *count * sizeof(int));
  }
  return received;
}

#endif
