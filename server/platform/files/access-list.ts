// Who may read a folder on Windows, where modes mean nothing: an access list for its owner alone, made and checked by icacls.

import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

type Arguments = readonly string[];

/** A program of the system, run to its end: what it prints; throws what it complains of. */
export type RunProgram = (program: string, args: Arguments) => string;
export type RunProgramAsync = (
  program: string,
  args: Arguments,
) => Promise<string>;

/** Whoever watches a player takes it for hung after five seconds. */
const timeoutMs = 3_000;

const options = {
  encoding: "utf8",
  timeout: timeoutMs,
  windowsHide: true,
} as const;

const runSystemProgram: RunProgram = (program, args) =>
  execFileSync(program, [...args], {
    ...{ ...options, stdio: ["ignore", "pipe", "pipe"] },
  });

const runSystemProgramAsync: RunProgramAsync = async (program, args) =>
  (await promisify(execFile)(program, [...args], options)).stdout;

const system = "S-1-5-18";
const administrators = "S-1-5-32-544";

/** As root on other systems, these two get everywhere anyhow; left out, they could neither back it up nor mend it. */
const alwaysAllowed = new Map([
  ["SY", system],
  ["BA", administrators],
]);

/** How the notation shortens users that a service or an administrator may run as. */
const short = new Map([
  ["LS", /^S-1-5-19$/],
  ["NS", /^S-1-5-20$/],
  ["LA", /^S-1-5-21-.+-500$/],
]);

/** Stand for whoever owns what lies in the folder. */
const standForOwner = new Set(["CO", "S-1-3-0", "OW", "S-1-3-4"]);

/** What is inherited goes, and the folder and all that comes into it is the user's, the system's and the administrators'. */
export function ownerOnlyArguments(
  dir: string,
  user: string,
): readonly string[] {
  const full = [user, system, administrators].map((who) => `*${who}:(OI)(CI)F`);
  return [dir, "/inheritance:r", "/grant:r", ...full];
}

const whoamiArguments = ["/user", "/fo", "csv", "/nh"];

/** Throws where the disk knows no access lists, or the folder is another's. */
export function restrictToOwner(
  dir: string,
  run: RunProgram = runSystemProgram,
): void {
  const user = userIn(run("whoami.exe", whoamiArguments));
  run("icacls.exe", ownerOnlyArguments(dir, user));
}

/** Who beside its owner may do something in the folder, as Windows calls them; empty where it is the owner's alone. */
export async function othersInAccessList(
  dir: string,
  run: RunProgramAsync = runSystemProgramAsync,
): Promise<readonly string[]> {
  const user = userIn(await run("whoami.exe", whoamiArguments));
  const aside = await mkdtemp(path.join(os.tmpdir(), "vitrine-access-"));
  try {
    // Its other way to tell it is in the language of the system.
    const saved = path.join(aside, "list");
    await run("icacls.exe", [dir, "/save", saved]);
    return othersIn(await readFile(saved), user);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** The security identifier in `"pc\signage","S-1-5-21-…"`, in whatever code page the name is. */
export function userIn(text: string): string {
  const user = /"(S-1-[\d-]+)"\s*$/.exec(text)?.[1];
  if (user === undefined) throw new Error("whoami names no user.");
  return user;
}

/** Of `(type;flags;rights;object;of objects;who)`, behind which a condition may stand: type and who. */
const entries = /\(([A-Z]+);[^;()]*;[^;()]*;[^;()]*;[^;()]*;([^;()]*)/g;
const allowing = new Set(["A", "OA", "XA", "ZA"]);

/** What `icacls /save` writes: the folder's name, and below it the list in the system's own notation. */
export function othersIn(saved: Buffer, user: string): readonly string[] {
  const text = saved.toString("utf16le").replace(/^\uFEFF/, "");
  const list = /^D:(.*)$/m.exec(text)?.[1]?.trim();
  if (list === undefined) throw new Error("icacls saved no access list.");
  // Without a list everybody may do everything.
  if (/^[A-Z]*NO_ACCESS_CONTROL/.test(list)) return ["Everyone"];
  const others = [...list.matchAll(entries)].flatMap(
    ([, type = "", who = ""]) => {
      const isOwners =
        who === user ||
        short.get(who)?.test(user) === true ||
        standForOwner.has(who) ||
        isAlwaysAllowed(who);
      return allowing.has(type) && !isOwners ? [names.get(who) ?? who] : [];
    },
  );
  return [...new Set(others)];
}

function isAlwaysAllowed(who: string): boolean {
  return alwaysAllowed.has(who) || [...alwaysAllowed.values()].includes(who);
}

/** Of those a folder outside of a user's own is mostly open to. */
const names = new Map([
  ["BU", "Users"],
  ["S-1-5-32-545", "Users"],
  ["AU", "Authenticated Users"],
  ["S-1-5-11", "Authenticated Users"],
  ["WD", "Everyone"],
  ["S-1-1-0", "Everyone"],
  ["IU", "Interactive"],
  ["BG", "Guests"],
  ["PU", "Power Users"],
]);
