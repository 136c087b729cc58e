// Undo: by the button of a notice, and by Ctrl+Z anywhere but in a text field, most recent action first.

import { notifications } from "@mantine/notifications";
import { createElement, useSyncExternalStore, type ReactNode } from "react";
import type { OperationName } from "../../../server/contract/ipc/ipc-operate.ts";
import { changesAnswered, pageOfChange } from "../api/operations.ts";
import { onOperation } from "../api/refusal.ts";
import { Refusal } from "../api/refusal.ts";
import {
  closeButtonProps,
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { NoticeButton } from "../components/outcomes/NoticeButton.tsx";
import { openPage, type PageId } from "../place/navigation.ts";
import { randomId } from "../place/random-id.ts";
import { takeStored } from "../place/tab-storage.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import type { MergeOptions } from "./three-way-merge.ts";

/** An undo step as data: it survives a reload of the window, which a change of language needs. */
export interface StoredUndo {
  readonly kind: string;
  /** A JSON value. */
  readonly data: unknown;
}

/** A function is lost with the page that created it. */
type Undo = (() => Promise<unknown>) | StoredUndo;

/** Returned by an undo step that left out what was changed elsewhere since the action. */
export class ChangedElsewhere {
  /** Name of what was changed elsewhere. */
  readonly name: string;
  /** Whether the rest was undone. */
  readonly isPartial: boolean;
  /** Replaces the sentence that names it. */
  readonly about: string | null;

  constructor(name: string, isPartial: boolean, about: string | null = null) {
    this.name = name;
    this.isPartial = isPartial;
    this.about = about;
  }
}

interface UndoKind {
  /** Undoes what is still as the action left it; forced, the rest too. May return ChangedElsewhere. */
  readonly takeBack: (data: never, options: MergeOptions) => Promise<unknown>;
  /** Joins two actions into one: back to the state before the earlier one. */
  readonly join: (earlier: never, later: never) => unknown;
}

const kinds = new Map<string, UndoKind>();
let loadKinds: () => Promise<unknown> = () => Promise.resolve();

/** For pages that are loaded when they are opened: the page that defines a kind may not be open yet after a reload. */
export function loadKindsBy(load: () => Promise<unknown>): void {
  loadKinds = load;
}

/** Call once per kind, where the module is loaded. Returns a function that makes an undo step of the data of one action. */
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
  /** Shown when it is done, and again when it is undone. */
  readonly sentence: string;
  /** Null: it cannot be undone. */
  undo: Undo | null;
  /** The page on which it was done. */
  readonly page: PageId;
  /** Consecutive actions on the same topic without a pause count as one, which undoes all of them. */
  readonly topic: string | null;
  /** What it restores: fields with unique names. */
  readonly fields: readonly string[];
  lastAt: number;
}

/** Nobody remembers older actions. */
const maxUndoSteps = 50;
/** Long enough to notice a mistake. */
const noticeMs = 10_000;
/** A key held down, or a drag that has not reached its target yet. */
const pauseMs = 1_500;

const storedUnder = "vitrine-actions";
const actions: UndoableAction[] = restored();
if ("addEventListener" in globalThis) addEventListener("pagehide", store);

/** Shows a notice with a button that undoes the action. Call it when the action is done. */
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
      `${t("manager.undo")} (${formats.keys("Ctrl+Z")})`,
      () => {
        undoAction(action).catch(notifyInternalError);
      },
    ),
  });
}

/** The same without a notice: for small consecutive changes, which Ctrl+Z undoes one by one. */
export function rememberUndo(
  sentence: string,
  undo: Undo,
  fields: readonly string[] = [],
): void {
  noted(sentence, undo, null, fields);
}

/** For actions that cannot be undone: Ctrl+Z says so instead of undoing the action before. */
export function noteFinal(sentence: string): void {
  noted(sentence, null, null, []);
}

/** Null: it was joined to the previous action. */
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
  const id = randomId();
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

/** Undone out of order, it would discard later changes to the same thing; Ctrl+Z reaches it when it is next. */
function withdrawButton({ id, sentence }: UndoableAction): void {
  notifications.update({ id, title: sentence, message: "" });
}

function undoButton(label: string, onClick: () => void): ReactNode {
  return createElement(NoticeButton, { onClick }, label);
}

/** One after the other, however fast they are requested. */
let line: Promise<unknown> = Promise.resolve();
let isWaiting = false;

/**
 * Undoes the most recent action; a change that is not answered yet is waited for. A second press because nothing has happened yet
 * means the same action. An action that cannot be undone is named, and for an action on another page a confirmation is shown: it
 * would be undone out of sight.
 */
export async function undoLast(): Promise<void> {
  if (isWaiting) return;
  line = line.then(async () => {
    isWaiting = true;
    await changesAnswered();
    isWaiting = false;
    const last = actions.at(-1);
    if (!last) notifySuccess(t("manager.nothingToUndo"));
    else if (last.undo === null) {
      actions.pop();
      const older = actions.findLast(({ undo }) => undo !== null);
      notifySuccess(
        t("manager.cannotUndo", { action: last.sentence }),
        older && t("manager.actionBefore", { action: older.sentence }),
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
  try {
    const outcome = await wayBack(undo, options);
    if (!(outcome instanceof ChangedElsewhere) || options.isForced)
      notifySuccess(t("manager.undone", { action: sentence }));
    else {
      const { name, isPartial, about } = outcome;
      notifications.show({
        id,
        title: isPartial
          ? t("manager.undonePartly", { action: sentence })
          : t("manager.undoFailed", { action: sentence }),
        role: "alert",
        autoClose: false,
        closeButtonProps,
        message: createElement(
          "span",
          null,
          `${about ?? t("manager.changedSince", { name })} `,
          undoButton(t("manager.undoAnyway"), () => {
            notifications.hide(id);
            takeBack({ id, sentence, undo } as UndoableAction, {
              isForced: true,
            }).catch(notifyInternalError);
          }),
        ),
      });
    }
  } catch (error) {
    const isGone = error instanceof Refusal && error.code === "not-found";
    notifyFailure(
      t("manager.undoFailed", { action: sentence }),
      isGone ? t("manager.deletedSince") : error,
    );
  }
}

async function wayBack(
  undo: Undo | null,
  options: MergeOptions,
): Promise<unknown> {
  if (!isStored(undo)) return undo?.();
  if (!kinds.has(undo.kind)) await loadKinds();
  const kind = kinds.get(undo.kind);
  if (!kind) throw new Error(t("manager.undoGone"));
  return kind.takeBack(undo.data as never, options);
}

/** An action that is undone only after a confirmation. */
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
      if (isYes) undoAction(action).catch(notifyInternalError);
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

/** Operations that Ctrl+Z cannot undo, on whatever page they happen. */
const finalOperations = [
  ...(["takeOver", "endTakeover"] as const),
  ...(["pausePlayback", "resumePlayback", "controlPlayback"] as const),
  ...(["createToken", "revokeToken"] as const),
  ...(["deleteFromTrash", "emptyTrash"] as const),
  ...(["createSyncAccount", "deleteSyncAccount"] as const),
  ...(["discardAllLocalChanges", "distrustPlanKey"] as const),
  ...(["deleteSyncChange", "retrySyncChange"] as const),
  ...(["makeBackup", "deleteBackup"] as const),
] as const satisfies readonly OperationName[];

onOperation((operation) => {
  const final = finalOperations.find((name) => name === operation);
  if (final !== undefined) noteFinal(t(`manager.finalActions.${final}`));
});

/** Another person may sign in next. */
export function forgetActions(): void {
  actions.length = 0;
}

/** Saves the actions made before the window was reloaded. An undo step that was a function is lost, and is reported as lost. */
function store(): void {
  const storedActions = actions.map((action) => ({
    ...action,
    undo: isStored(action.undo) ? action.undo : null,
  }));
  // Drops the oldest actions until the rest fits into the storage.
  for (; storedActions.length > 0; storedActions.shift())
    try {
      sessionStorage.setItem(storedUnder, JSON.stringify(storedActions));
      return;
    } catch {
      continue;
    }
}

function restored(): UndoableAction[] {
  const text = takeStored(storedUnder);
  return text === null ? [] : (JSON.parse(text) as UndoableAction[]);
}
