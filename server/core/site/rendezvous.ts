// Rendezvous hashing: an order of players for each file that all of them compute alike, without talking to each other.

/** The player with the highest score comes first; a player that leaves changes the order of no others. */
export function rendezvousScore(file: string, player: string): number {
  return mixed(hashOf(player, hashOf(file, 0x811c9dc5)));
}

/** FNV-1a. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** So that texts that differ in their end only are far apart. */
function mixed(hash: number): number {
  let value = hash ^ (hash >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
