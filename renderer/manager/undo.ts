// What was done can be undone: by the button of its notice, and by Ctrl+Z anywhere but in a field, the last first.

import { notifications } from "@mantine/notifications";
import { createElement } from "react";
import { changesAnswered } from "./operations.ts";
import { closeButtonProps, sayDone, sayFailed } from "./parts/outcome.ts";
import { formats, texts } from "./texts/texts.ts";

interface Deed {
  readonly id: string;
  /** Said when it is done, and again when it is undone. */
  readonly sentence: string;
  readonly undo: () => Promise<unknown>;
  /** What goes on about the same thing without a pause is one deed, which undoes all of it. */
  readonly topic: string | null;
  /** What it puts back: a field of something, named as nothing else is. */
  readonly fields: readonly string[];
  lastAt: number;
}

/** Nobody remembers what lies further back. */
const mostDeeds = 50;
/** Long enough to notice that it was the wrong one. */
const noticeMs = 10_000;
/** A key held down, or a hand that has not found the place yet. */
const pauseMs = 1_500;

const deeds: Deed[] = [];

/** Says what was done, with a button that undoes it. Call it when it is done. */
export function sayUndoable(
  sentence: string,
  undo: () => Promise<unknown>,
  topic: string | null = null,
  fields: readonly string[] = [],
): void {
  const deed = noted(sentence, undo, topic, fields);
  if (!deed) return;
  notifications.show({
    ...{ id: deed.id, title: sentence, role: "status", autoClose: noticeMs },
    closeButtonProps,
    message: createElement(
      "button",
      {
        ...{ type: "button", className: "undo-button" },
        onClick: () => void undoDeed(deed),
      },
      `${texts.desk.undo} (${formats.keys("Ctrl+Z")})`,
    ),
  });
}

/** The same without a word: for small changes one after the other, which Ctrl+Z takes back one by one. */
export function rememberUndo(
  sentence: string,
  undo: () => Promise<unknown>,
  fields: readonly string[] = [],
): void {
  noted(sentence, undo, null, fields);
}

/** Null: it goes on with the deed before. */
function noted(
  sentence: string,
  undo: () => Promise<unknown>,
  topic: string | null,
  fields: readonly string[],
): Deed | null {
  const lastAt = Date.now();
  const last = deeds.at(-1);
  if (last && topic !== null && last.topic === topic)
    if (lastAt - last.lastAt < pauseMs) {
      last.lastAt = lastAt;
      return null;
    }
  const id = crypto.randomUUID();
  const deed: Deed = { id, sentence, undo, topic, fields, lastAt };
  for (const earlier of deeds)
    if (earlier.fields.some((field) => fields.includes(field)))
      withdrawButton(earlier);
  deeds.push(deed);
  if (deeds.length > mostDeeds) deeds.shift();
  return deed;
}

/** Out of its turn it would throw away what was done to the same since; Ctrl+Z comes to it in its turn. */
function withdrawButton({ id, sentence }: Deed): void {
  notifications.update({ id, title: sentence, message: "" });
}

/** One after the other, however fast they are asked for. */
let line: Promise<unknown> = Promise.resolve();
let isWaiting = false;

/**
 * The last deed that is not undone yet; a change that is not answered yet is waited for. Who presses again because
 * nothing happens meanwhile means the same one.
 */
export async function undoLast(): Promise<void> {
  if (isWaiting) return;
  line = line.then(async () => {
    isWaiting = true;
    await changesAnswered();
    isWaiting = false;
    const last = deeds.at(-1);
    if (last) await undoDeed(last);
    else sayDone(texts.desk.nothingToUndo);
  });
  await line;
}

async function undoDeed(deed: Deed): Promise<void> {
  const place = deeds.indexOf(deed);
  if (place === -1) return;
  deeds.splice(place, 1);
  notifications.hide(deed.id);
  try {
    await deed.undo();
    sayDone(texts.desk.undone(deed.sentence));
  } catch (error) {
    sayFailed(texts.desk.undoFailed(deed.sentence), error);
  }
}
