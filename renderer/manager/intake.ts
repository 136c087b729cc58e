// Files and links on their way in: one after the other, told as they go, none stopping the rest.

import { notifications } from "@mantine/notifications";
import type { FileOutcome } from "../../server/contract/ipc.ts";
import { reasonOf } from "./api.ts";
import { sayDone, sayFailed } from "./parts/outcome.ts";
import { texts } from "./texts/texts.ts";

/** Beyond this many, refusals share one notification. */
const fewRefusals = 3;

/** One file per question, so that each step can be told and the order of the drop is the order of play. */
export async function addFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const batch = `adding-${crypto.randomUUID()}`;
  const outcomes: FileOutcome[] = [];
  notifications.show({ id: batch, ...underWay(files, 0) });
  for (const [index, file] of files.entries()) {
    if (index > 0)
      notifications.update({ id: batch, ...underWay(files, index) });
    outcomes.push(await addFile(file));
  }
  notifications.hide(batch);
  sayOutcomes(outcomes);
}

export async function addPage(address: string): Promise<void> {
  const asset = await window.manager.addPage({ address: withScheme(address) });
  sayDone(texts.added(asset.name), texts.addedAtTheEnd);
}

/** `example.org` is what people type; the web's own scheme is what they mean. */
function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

async function addFile(file: File): Promise<FileOutcome> {
  try {
    const path = window.manager.pathOf(file);
    if (path === "") return { name: file.name, refusal: texts.noPath };
    const [outcome] = await window.manager.addFiles({ paths: [path] });
    return outcome ?? { name: file.name, refusal: texts.noAnswer };
  } catch (error) {
    return { name: file.name, refusal: reasonOf(error) };
  }
}

function underWay(files: readonly File[], index: number) {
  return {
    loading: true,
    title: texts.adding(files.length),
    message: texts.addingStep(
      index + 1,
      files.length,
      files[index]?.name ?? "",
    ),
    role: "status",
    autoClose: false,
    withCloseButton: false,
  } as const;
}

function sayOutcomes(outcomes: readonly FileOutcome[]): void {
  const added = outcomes.flatMap((one) => ("asset" in one ? [one.asset] : []));
  const refused = outcomes.flatMap((one) => ("refusal" in one ? [one] : []));
  const [only] = added;
  if (only && added.length === 1)
    sayDone(texts.added(only.name), texts.addedAtTheEnd);
  else if (added.length > 1) sayDone(texts.addedFiles(added.length));

  const lines = refused.map((one) => texts.refusedFile(one.name, one.refusal));
  if (lines.length <= fewRefusals)
    for (const line of lines) sayFailed(texts.refused(1), line);
  else sayFailed(texts.refused(lines.length), lines.join("\n"));
}
