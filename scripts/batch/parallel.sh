#!/usr/bin/env bash
# Imports a list of recordings with GNU parallel, one job a core, and merges the results.
#
#   parallel.sh N LIST SHARDS LIBRARY [OPTION…]
#
# N is the number of shares; a few times the cores, so that no core waits for the last one. LIST
# names the files, a line each. SHARDS is a new folder for the libraries of the shares, and they are
# merged into LIBRARY. Options go to parallel, such as --sshlogin node1,node2: then all paths must
# be the same on each node. Run it again after an interruption: nothing is done twice. HOLDFAST=FILE
# is the command, if it is not on the PATH.
set -euo pipefail
count=$1 list=$2 shards=$3 library=$4
shift 4
holdfast=${HOLDFAST:-holdfast}

# shellcheck disable=SC2317 # parallel calls it.
import_share() {
  local share=$1 count=$2 list=$3 library=$4/$1 holdfast=$5 status=0
  [ -e "$library/holdfast.json" ] || "$holdfast" init "$library"
  "$holdfast" import --library "$library" --jobs 1 --shard "$share/$count" \
    --files-from "$list" --json >"$library.jsonl" || status=$?
  # 3: some files were refused, and the rest is imported.
  [ "$status" -eq 3 ] || return "$status"
}
export -f import_share

mkdir -p "$shards"
# A share that failed is tried twice more.
seq "$count" | parallel --quote --env import_share --retries 3 "$@" \
  import_share {} "$count" "$list" "$shards" "$holdfast"
[ -e "$library/holdfast.json" ] || "$holdfast" init "$library"
exec "$holdfast" merge --library "$library" --take "$shards"/*/
