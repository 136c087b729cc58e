// Address and key of the command line, from flags and environment; the only file of it that reads the environment.

import { readFileSync } from "node:fs";
import { defaultApiPort } from "../contract/v2/api-port.ts";
import { Failure } from "../core/failure.ts";
import type { ConnectionOptions } from "./connection.ts";

export interface GlobalOptions {
  readonly service?: string | undefined;
  readonly player?: string | undefined;
  readonly key?: string | undefined;
  readonly "key-file"?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const processEnvironment: Environment = process.env;

/** Flags override the environment. The key of a service is never sent to a player, nor the other way round. */
export function readConnection(
  flags: GlobalOptions,
  env: Environment,
): Pick<ConnectionOptions, "kind" | "address" | "key"> {
  const { service, player } = flags;
  if (service !== undefined && player !== undefined)
    throw new Failure("malformed", "Set either --service or --player.");
  if (player !== undefined)
    return {
      kind: "player",
      address: addressOf("--player", withScheme(player)),
      key: keyOf(flags, env, "VITRINE_PLAYER_KEY"),
    };
  const address = service ?? env["VITRINE_SERVICE"];
  if (!address)
    throw new Failure(
      "malformed",
      "The address is missing: set VITRINE_SERVICE or --service to that of the content service, or --player to that of a player.",
    );
  const key = keyOf(flags, env, "VITRINE_KEY");
  if (key === undefined)
    throw new Failure(
      "unauthorized",
      "The key is missing: set VITRINE_KEY, VITRINE_KEY_FILE, --key-file or --key to an API key of the content service.",
    );
  const name = service === undefined ? "VITRINE_SERVICE" : "--service";
  return { kind: "service", address: addressOf(name, address), key };
}

/** `192.168.1.20` is a player on its default port. */
function withScheme(address: string): string {
  if (/^[a-z]+:\/\//i.test(address)) return address;
  const isBracketed = address.startsWith("[");
  const hasPort = isBracketed ? /\]:\d+$/.test(address) : /:\d+$/.test(address);
  return `http://${address}${hasPort ? "" : `:${defaultApiPort}`}`;
}

function addressOf(name: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isWeb)
    throw new Failure(
      "malformed",
      `${name} must be an http or https address such as https://content.example.org; got "${given}".`,
    );
  // Not repeated: they may contain a password.
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      "malformed",
      `${name} must not contain a user name or password.`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new Failure("malformed", `${name} must not contain "?" or "#".`);
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

function keyOf(
  flags: GlobalOptions,
  env: Environment,
  variable: "VITRINE_KEY" | "VITRINE_PLAYER_KEY",
): string | undefined {
  const { key, "key-file": file } = flags;
  if (key !== undefined && file !== undefined)
    throw new Failure("malformed", "Set either --key or --key-file.");
  if (key !== undefined) return usable(key, "--key");
  if (file !== undefined) return usable(firstLineOf(file), file);
  const fromEnv = env[variable];
  if (fromEnv) return usable(fromEnv, variable);
  const fileFromEnv = env[`${variable}_FILE`];
  return fileFromEnv
    ? usable(firstLineOf(fileFromEnv), fileFromEnv)
    : undefined;
}

function firstLineOf(file: string): string {
  try {
    return (readFileSync(file, "utf8").split("\n")[0] ?? "").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "malformed",
      `Cannot read the key file ${file} (${code ?? "unknown"}). Check its path and permissions.`,
    );
  }
}

/** Never repeats the key. */
function usable(key: string, source: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(key)) return key;
  throw new Failure(
    "malformed",
    `${source} contains no key: it must be letters, digits and symbols without spaces.`,
  );
}
