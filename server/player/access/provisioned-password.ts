// Password in the provisioning file of the data folder: taken over at the start, and the file deleted (V2-783).

import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { readNewPassword } from "../../contract/v2/v2-administration.ts";
import { removeFile } from "../../platform/files/replace-file.ts";
import type { Log } from "../../platform/log.ts";
import { systemCode } from "../../platform/outside-error.ts";
import type { Password } from "./password.ts";

const fileName = "provision.json";
/** Far larger than any such file. */
const maxBytes = 65_536;

/** Returns what is wrong with the file, as a sentence; null where there is none, and once its password is set. */
export async function takeProvisionedPassword(
  dataDir: string,
  password: Pick<Password, "set">,
  log: Log,
): Promise<string | null> {
  const file = path.join(dataDir, fileName);
  try {
    const content = await readSmall(file);
    if (content === null) return null;
    await password.set(passwordIn(content));
    // Last: after a power cut it is set once more.
    await removeFile(file);
    log.info("access.password-provisioned");
    return null;
  } catch (error) {
    // The screen plays all the same.
    if (!(error instanceof InvalidFile) && systemCode(error) === undefined)
      throw error;
    const reason = (error as Error).message;
    log.warn("access.provisioning-failed", { reason });
    return `${fileName} could not be applied: ${reason}`;
  }
}

/** Its message has nothing of the content. */
class InvalidFile extends Error {}

async function readSmall(file: string): Promise<string | null> {
  const found = await stat(file).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
  if (found === null) return null;
  if (!found.isFile() || found.size > maxBytes)
    throw new InvalidFile(`It must be a file of at most ${maxBytes} bytes.`);
  return readFile(file, "utf8");
}

function passwordIn(content: string): string {
  const given = parsed(content);
  const isObject = typeof given === "object" && given !== null;
  // A field that this version does not know must not be lost with the file.
  if (!isObject || Object.keys(given).join() !== "password")
    throw new InvalidFile('It must be JSON such as {"password": "…"}.');
  const reading = readNewPassword((given as { password: unknown }).password);
  if ("value" in reading) return reading.value;
  throw new InvalidFile(`password ${reading.sentence}.`);
}

function parsed(content: string): unknown {
  try {
    // Editors of Windows put a mark of the encoding in front.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}
