// Access list of a folder on Windows, where file modes have no effect: set and checked with icacls, so that only the owner can read
// the folder.

import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { systemProgram } from "../system-program.ts";

type Arguments = readonly string[];

/** Runs a program of the system to its end: returns its output; throws its error output. */
export type RunProgram = (program: string, args: Arguments) => string;
export type RunProgramAsync = (
  program: string,
  args: Arguments,
) => Promise<string>;

/** A process watchdog treats the player as hung after five seconds. */
const timeoutMs = 3_000;

const options = {
  encoding: "utf8",
  timeout: timeoutMs,
  windowsHide: true,
} as const;

const runSystemProgram: RunProgram = (program, args) =>
  execFileSync(systemProgram(program), [...args], {
    ...{ ...options, stdio: ["ignore", "pipe", "pipe"] },
  });

const runSystemProgramAsync: RunProgramAsync = async (program, args) =>
  (await promisify(execFile)(systemProgram(program), [...args], options))
    .stdout;

const system = "S-1-5-18";
const administrators = "S-1-5-32-544";

/**
 * Like root on other systems, these two have access anyway; without an entry they could neither back the folder up nor repair it.
 */
const alwaysAllowed = new Map([
  ["SY", system],
  ["BA", administrators],
]);

/** Abbreviations in the notation for users that a service or an administrator may run as. */
const short = new Map([
  ["LS", /^S-1-5-19$/],
  ["NS", /^S-1-5-20$/],
  ["LA", /^S-1-5-21-.+-500$/],
]);

/** Placeholders for the owner of what is in the folder. */
const standForOwner = new Set(["CO", "S-1-3-0", "OW", "S-1-3-4"]);

/** Removes inherited entries, and gives the folder and everything created in it to the user, the system and the administrators. */
export function ownerOnlyArguments(
  dir: string,
  user: string,
): readonly string[] {
  const full = [user, system, administrators].map((who) => `*${who}:(OI)(CI)F`);
  return [dir, "/inheritance:r", "/grant:r", ...full];
}

const whoamiArguments = ["/user", "/fo", "csv", "/nh"];

/** Throws when the disk does not support access lists, or another user owns the folder. */
export function restrictToOwner(
  dir: string,
  run: RunProgram = runSystemProgram,
): void {
  const user = userIn(run("whoami", whoamiArguments));
  run("icacls", ownerOnlyArguments(dir, user));
}

/** Users other than the owner with any access to the folder, by their names in Windows; empty if only the owner has access. */
export async function othersInAccessList(
  dir: string,
  run: RunProgramAsync = runSystemProgramAsync,
): Promise<readonly string[]> {
  const user = userIn(await run("whoami", whoamiArguments));
  const aside = await mkdtemp(path.join(os.tmpdir(), "vitrine-access-"));
  try {
    // The other output format of icacls is in the language of the system.
    const saved = path.join(aside, "list");
    await run("icacls", [dir, "/save", saved]);
    return othersIn(await readFile(saved), user);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** The security identifier in `"pc\signage","S-1-5-21-…"`, whatever the code page of the name. */
export function userIn(text: string): string {
  const user = /"(S-1-[\d-]+)"\s*$/.exec(text)?.[1];
  if (user === undefined) throw new Error("whoami names no user.");
  return user;
}

/** In `(type;flags;rights;object;of objects;who)`, optionally followed by a condition: type and who. */
const entries = /\(([A-Z]+);[^;()]*;[^;()]*;[^;()]*;[^;()]*;([^;()]*)/g;
const allowing = new Set(["A", "OA", "XA", "ZA"]);

/** Output of `icacls /save`: the folder's name, and below it the list in the system's own notation (SDDL). */
export function othersIn(saved: Buffer, user: string): readonly string[] {
  const text = saved.toString("utf16le").replace(/^\uFEFF/, "");
  const list = /^D:(.*)$/m.exec(text)?.[1]?.trim();
  if (list === undefined) throw new Error("icacls saved no access list.");
  // Without a list, everyone has full access.
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

/** Those that usually have access to folders outside a user's own. */
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
