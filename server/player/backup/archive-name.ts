// File name of an archive: the player's name, sanitized, and the moment it was taken.

/** Far below the limit of any file system, in any script. */
const maxNameBytes = 120;

const pattern =
  /^[\p{L}\p{N}\p{M}_-]+-backup-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})(?:-(\d{1,6}))?\.tar\.gz$/u;

/** `Lobby-backup-2026-01-31T09-30-00.tar.gz`, with `-2`, `-3` … while that is taken (V2-40). */
export function archiveName(
  playerName: string,
  moment: number,
  isTaken: (name: string) => boolean,
): string {
  const time = new Date(moment).toISOString().slice(0, 19).replaceAll(":", "-");
  const stem = `${safeName(playerName)}-backup-${time}`;
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.tar.gz`;
    if (!isTaken(name)) return name;
  }
}

/** Keeps letters and digits of every script; replaces path separators, control characters and emoji with dashes. */
function safeName(playerName: string): string {
  const words = playerName
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}_-]+/gu, "-")
    .replace(/-{2,}/g, "-");
  let name = "";
  for (const letter of words) {
    if (Buffer.byteLength(name + letter) > maxNameBytes) break;
    name += letter;
  }
  return name.replace(/^[-\p{M}]+|(?<!-)-+$/gu, "") || "vitrine";
}

/** Null for any other name; else the moment and the number within that second. */
export function momentOfArchive(
  name: string,
): { readonly moment: number; readonly number: number } | null {
  const parts = pattern.exec(name);
  if (!parts) return null;
  const [, day, hour, minute, second, number] = parts;
  const moment = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(moment) ? null : { moment, number: Number(number ?? 1) };
}
