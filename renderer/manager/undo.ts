// What was done can be undone: by the button of its notice, and by Ctrl+Z anywhere but in a field, the last first.

import { notifications } from "@mantine/notifications";
import { createElement, useSyncExternalStore, type ReactNode } from "react";
import type { OperationName } from "../../server/contract/ipc/ipc-operate.ts";
import {
  changesAnswered,
  onOperation,
  pageOfChange,
  Refusal,
} from "./operations.ts";
import {
  closeButtonProps,
  notifySuccess,
  notifyFailure,
} from "./parts/outcomes/outcome.ts";
import { openPage, type PageId } from "./place.ts";
import { formats, texts } from "./texts/texts.ts";
import type { MergeOptions } from "./three-way.ts";

/** A way back as data: it outlives a reload of the window, which another language wants. */
export interface StoredUndo {
  readonly kind: string;
  /** As JSON has it. */
  readonly data: unknown;
}

/** A function is lost with the page that it was made on. */
type Undo = (() => Promise<unknown>) | StoredUndo;

/** Answered by a way back that left alone what was changed elsewhere since the deed. */
export class ChangedElsewhere {
  /** What it is called. */
  readonly name: string;
  /** Whether the rest was taken back. */
  readonly isPartial: boolean;
  /** In place of the sentence that names it. */
  readonly about: string | null;

  constructor(name: string, isPartial: boolean, about: string | null = null) {
    this.name = name;
    this.isPartial = isPartial;
    this.about = about;
  }
}

interface UndoKind {
  /** Takes back what still is as the deed left it; forced, the rest too. May answer ChangedElsewhere. */
  readonly takeBack: (data: never, options: MergeOptions) => Promise<unknown>;
  /** Of two deeds that are one: back to before the earlier. */
  readonly join: (earlier: never, later: never) => unknown;
}

const kinds = new Map<string, UndoKind>();

/** Call it once per kind, where the module is loaded. Answers what makes a way back of the data of one deed. */
export function defineUndo<Data>(
  kind: string,
  takeBack: (data: Data, options: MergeOptions) => Promise<unknown>,
  join: (earlier: Data, later: Data) => Data = (earlier) => earlier,
): (data: Data) => StoredUndo {
  kinds.set(kind, { takeBack, join });
  return (data) => ({ kind, data });
}

interface UndoableAction {
  readonly id: string;
  /** Said when it is done, and again when it is undone. */
  readonly sentence: string;
  /** Null: it cannot be undone. */
  undo: Undo | null;
  /** Where it was done. */
  readonly page: PageId;
  /** What goes on about the same thing without a pause is one deed, which undoes all of it. */
  readonly topic: string | null;
  /** What it puts back: a field of something, named as nothing else is. */
  readonly fields: readonly string[];
  lastAt: number;
}

/** Nobody remembers what lies further back. */
const maxUndoSteps = 50;
/** Long enough to notice that it was the wrong one. */
const noticeMs = 10_000;
/** A key held down, or a hand that has not found the place yet. */
const pauseMs = 1_500;

const storedUnder = "vitrine-deeds";
const actions: UndoableAction[] = restored();
if ("addEventListener" in globalThis) addEventListener("pagehide", store);

/** Says what was done, with a button that undoes it. Call it when it is done. */
export function notifyUndoable(
  sentence: string,
  undo: Undo,
  topic: string | null = null,
  fields: readonly string[] = [],
): void {
  const action = noted(sentence, undo, topic, fields);
  if (!action) return;
  notifications.show({
    ...{ id: action.id, title: sentence, role: "status", autoClose: noticeMs },
    closeButtonProps,
    message: undoButton(
      `${texts.manager.undo} (${formats.keys("Ctrl+Z")})`,
      () => void undoAction(action),
    ),
  });
}

/** The same without a word: for small changes one after the other, which Ctrl+Z takes back one by one. */
export function rememberUndo(
  sentence: string,
  undo: Undo,
  fields: readonly string[] = [],
): void {
  noted(sentence, undo, null, fields);
}

/** For what cannot be undone: Ctrl+Z says so instead of reaching for what was done before it. */
export function noteFinal(sentence: string): void {
  noted(sentence, null, null, []);
}

/** Null: it goes on with the deed before. */
function noted(
  sentence: string,
  undo: Undo | null,
  topic: string | null,
  fields: readonly string[],
): UndoableAction | null {
  const lastAt = Date.now();
  const last = actions.at(-1);
  if (last && topic !== null && last.topic === topic)
    if (lastAt - last.lastAt < pauseMs) {
      last.lastAt = lastAt;
      last.undo = joined(last.undo, undo);
      return null;
    }
  const id = crypto.randomUUID();
  const page = pageOfChange();
  const action: UndoableAction = {
    id,
    sentence,
    undo,
    page,
    topic,
    fields,
    lastAt,
  };
  for (const earlier of actions)
    if (earlier.fields.some((field) => fields.includes(field)))
      withdrawButton(earlier);
  actions.push(action);
  if (actions.length > maxUndoSteps) actions.shift();
  return action;
}

function joined(earlier: Undo | null, later: Undo | null): Undo | null {
  if (!isStored(earlier) || !isStored(later)) return earlier;
  const join = kinds.get(earlier.kind)?.join;
  if (earlier.kind !== later.kind || !join) return earlier;
  const data = join(earlier.data as never, later.data as never);
  return { kind: earlier.kind, data };
}

function isStored(undo: Undo | null): undo is StoredUndo {
  return typeof undo === "object" && undo !== null;
}

/** Out of its turn it would throw away what was done to the same since; Ctrl+Z comes to it in its turn. */
function withdrawButton({ id, sentence }: UndoableAction): void {
  notifications.update({ id, title: sentence, message: "" });
}

function undoButton(label: string, onClick: () => void): ReactNode {
  return createElement(
    "button",
    { type: "button", className: "undo-button", onClick },
    label,
  );
}

/** One after the other, however fast they are asked for. */
let line: Promise<unknown> = Promise.resolve();
let isWaiting = false;

/**
 * The last deed that is not undone yet; a change that is not answered yet is waited for. Who presses again because
 * nothing happens meanwhile means the same one. What cannot be undone is named, and so is, with a question, what was
 * done on another page: it would be undone out of sight.
 */
export async function undoLast(): Promise<void> {
  if (isWaiting) return;
  line = line.then(async () => {
    isWaiting = true;
    await changesAnswered();
    isWaiting = false;
    const last = actions.at(-1);
    if (!last) notifySuccess(texts.manager.nothingToUndo);
    else if (last.undo === null) {
      actions.pop();
      const older = actions.findLast(({ undo }) => undo !== null);
      notifySuccess(
        texts.manager.cannotUndo(last.sentence),
        older && texts.manager.cannotUndoOlder(older.sentence),
      );
    } else if (last.page === openPage()) await undoAction(last);
    else confirmUndo(last);
  });
  await line;
}

async function undoAction(action: UndoableAction): Promise<void> {
  const place = actions.indexOf(action);
  if (place === -1) return;
  actions.splice(place, 1);
  notifications.hide(action.id);
  await takeBack(action, { isForced: false });
}

async function takeBack(
  { id, sentence, undo }: UndoableAction,
  options: MergeOptions,
): Promise<void> {
  const words = texts.manager;
  try {
    const outcome = await wayBack(undo, options);
    if (!(outcome instanceof ChangedElsewhere) || options.isForced)
      notifySuccess(words.undone(sentence));
    else {
      const { name, isPartial, about } = outcome;
      notifications.show({
        id,
        title: isPartial
          ? words.undonePartly(sentence)
          : words.undoFailed(sentence),
        role: "alert",
        autoClose: false,
        closeButtonProps,
        message: createElement(
          "span",
          null,
          `${about ?? words.changedSince(name)} `,
          undoButton(words.undoAnyway, () => {
            notifications.hide(id);
            void takeBack({ id, sentence, undo } as UndoableAction, {
              isForced: true,
            });
          }),
        ),
      });
    }
  } catch (error) {
    const isGone = error instanceof Refusal && error.code === "not-found";
    notifyFailure(words.undoFailed(sentence), isGone ? words.goneSince : error);
  }
}

function wayBack(
  undo: Undo | null,
  options: MergeOptions,
): Promise<unknown> | undefined {
  if (!isStored(undo)) return undo?.();
  return kinds.get(undo.kind)?.takeBack(undo.data as never, options);
}

/** A deed that is undone only after a yes. */
interface UndoQuestion {
  readonly sentence: string;
  readonly page: PageId;
  readonly answer: (isYes: boolean) => void;
}

let question: UndoQuestion | null = null;
const listeners = new Set<() => void>();

function setQuestion(next: UndoQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}

function confirmUndo(action: UndoableAction): void {
  setQuestion({
    ...{ sentence: action.sentence, page: action.page },
    answer: (isYes) => {
      setQuestion(null);
      if (isYes) void undoAction(action);
    },
  });
}

const currentQuestion = (): UndoQuestion | null => question;

export function useUndoQuestion(): UndoQuestion | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentQuestion,
    currentQuestion,
  );
}

/** Whoever does one of these, on whatever page, has done something that Ctrl+Z cannot take back. */
const finalOperations: Readonly<Partial<Record<OperationName, string>>> =
  texts.manager.final;

onOperation((operation) => {
  const sentence = finalOperations[operation];
  if (sentence !== undefined) noteFinal(sentence);
});

/** What was done before the window was loaded anew. A way back that was a function is lost, and said to be. */
function store(): void {
  const kept = actions.map((action) => ({
    ...action,
    undo: isStored(action.undo) ? action.undo : null,
  }));
  // Whatever of it there is no room for, the oldest first.
  for (; kept.length > 0; kept.shift())
    try {
      sessionStorage.setItem(storedUnder, JSON.stringify(kept));
      return;
    } catch {
      continue;
    }
}

function restored(): UndoableAction[] {
  if (!("sessionStorage" in globalThis)) return [];
  const text = sessionStorage.getItem(storedUnder);
  sessionStorage.removeItem(storedUnder);
  return text === null ? [] : (JSON.parse(text) as UndoableAction[]);
}
