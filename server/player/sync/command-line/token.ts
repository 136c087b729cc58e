// Reads the token for the command line from a flag, the environment or standard input; never prints it.

import { createInterface } from "node:readline";
import { Failure } from "../../../core/failure.ts";

export async function readToken(flag: string | undefined): Promise<string> {
  const given = flag ?? process.env["VITRINE_SYNC_TOKEN"];
  if (given) return given;
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    if (line.trim() !== "") return line.trim();
  }
  throw new Failure(
    "malformed",
    "The token is missing: pass it with --token, as VITRINE_SYNC_TOKEN, or on standard input.",
  );
}
