// Hash of a password: scrypt with a salt of its own, in the text form that names its parameters (V2-779, V4-370).

import {
  randomBytes,
  scrypt,
  scryptSync,
  timingSafeEqual,
  type ScryptOptions,
} from "node:crypto";

export interface HashCost {
  /** 2 ** ln blocks of memory. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and about a quarter of a second of one core: a PC of a screen bears it, and a list of common passwords does not get far. */
const fullCost: HashCost = { ln: 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

interface Hashed {
  readonly options: ScryptOptions;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export async function hashPassword(
  password: string,
  cost = fullCost,
): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, optionsOf(cost), hashBytes);
  return asText(cost, salt, hash);
}

/** The same for a command, which has nothing else to do meanwhile. */
export function hashPasswordSync(password: string): string {
  const salt = randomBytes(saltBytes);
  const options = optionsOf(fullCost);
  return asText(
    fullCost,
    salt,
    scryptSync(normal(password), salt, hashBytes, options),
  );
}

/** Takes as long without a hash, where every password is wrong: the time tells nobody whether one is set. */
export async function isPassword(
  password: string,
  text: string | null,
  cost = fullCost,
): Promise<boolean> {
  const stored = text === null ? null : read(text);
  const { options, salt, hash } = stored ?? unset(cost);
  const derived = await derive(password, salt, options, hash.length);
  return timingSafeEqual(derived, hash) && stored !== null;
}

function unset(cost: HashCost): Hashed {
  return {
    options: optionsOf(cost),
    salt: Buffer.alloc(saltBytes),
    hash: Buffer.alloc(hashBytes),
  };
}

/** Keyboards and systems compose letters differently. */
function normal(password: string): string {
  return password.normalize("NFC");
}

function derive(
  password: string,
  salt: Buffer,
  options: ScryptOptions,
  length: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(normal(password), salt, length, options, (error, derived) => {
      if (error) reject(error);
      else resolve(derived);
    });
  });
}

function optionsOf({ ln, r, p }: HashCost) {
  const N = 2 ** ln;
  // Node's own limit is just too small for what these parameters need.
  return { N, r, p, maxmem: 128 * N * r * 2 };
}

function asText({ ln, r, p }: HashCost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

const form =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22,100})\$([\w+/]{43,100})$/;
/** 128 MiB: the most that another version can have chosen. */
const maxLn = 17;

/** Another version may have written it with other parameters. Null if it is damaged: then no password is right. */
function read(text: string): Hashed | null {
  const [, ln, r, p, salt = "", hash = ""] = form.exec(text) ?? [];
  const given = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (ln === undefined || given.ln > maxLn || given.r > fullCost.r) return null;
  return {
    options: optionsOf(given),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}
