// Draft handling of every field: a draft is kept until it is saved or dropped, across rerenders and page changes.

import { notifications } from "@mantine/notifications";
import { NoticeButton } from "../outcomes/NoticeButton.tsx";
import {
  createElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import {
  draftAfter,
  isChangedElsewhere,
  type Draft,
  type DraftEvent,
} from "./draft.ts";
import { closeButtonProps, notifyInternalError } from "../outcomes/outcome.ts";

export type SaveOutcome =
  | { readonly isSaved: true }
  /** Null: it was changed elsewhere meanwhile, or the reason is shown already. */
  | { readonly isSaved: false; readonly reason: string | null };

type ReadText =
  /** Its stored form, comparable to `stored`. */
  { readonly stored: string } | { readonly wrong: string };

interface DraftField {
  /** A unique name of what is edited. A component keeps one key for as long as it is mounted. */
  readonly key: string;
  /** The value stored now; null while that is not known. */
  readonly stored: string | null;
  readonly read: (text: string) => ReadText;
  /** `base` is the value the text was typed over: it is saved only where that is still stored. */
  readonly save: (text: string, base: string | null) => Promise<SaveOutcome>;
  /** Whether both changes can be kept, such as those of different lines. */
  readonly canMerge?: (base: string, text: string, stored: string) => boolean;
  /** Saved by a button of its own: it waits while another page is open. */
  readonly isKept?: boolean;
  /** Was deleted elsewhere: the draft stays, and nothing is saved. */
  readonly isGone?: boolean;
  /** For the notice about a draft that was not saved. */
  readonly place: FieldPlace;
}

interface FieldPlace {
  /** The field, and what it belongs to. */
  readonly field: string;
  readonly of: string;
  /** Null: it cannot be shown again, and the draft is dropped. */
  readonly goBack: (() => void) | null;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface EditedField {
  /** The field's `ref`. */
  readonly attach: (element: Field | null) => void;
  /** Null: there is no draft, the field shows the stored value. */
  readonly typed: string | null;
  readonly wrong: string | null;
  readonly isChanged: boolean;
  readonly type: (text: string, isHalf?: boolean) => void;
  /** Saves the draft, unless it is invalid or was changed elsewhere; returns whether nothing is left to save. */
  readonly leave: (isHalf?: boolean) => Promise<boolean>;
  readonly drop: () => void;
  readonly keepMine: () => void;
  readonly useTheirs: () => void;
}

const drafts = new Map<string, Draft>();
/** Saves that are still pending. */
const underWay = new Map<string, Promise<void>>();
const listeners = new Set<() => void>();
/** The field that a notice leads back to. */
let awaited: string | null = null;

function put(key: string, event: DraftEvent): Draft | null {
  const next = draftAfter(drafts.get(key) ?? null, event);
  if (next) drafts.set(key, next);
  else {
    drafts.delete(key);
    notifications.hide(noticeOf(key));
  }
  for (const listener of listeners) listener();
  return next;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The next person gets nothing of them. */
export function forgetDrafts(): void {
  for (const key of [...drafts.keys()]) put(key, { type: "dropped" });
}

export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** Whether there is a draft in any field whose key has this prefix. */
export function useHasDrafts(keyStart: string | null): boolean {
  return useSyncExternalStore(
    subscribe,
    () =>
      keyStart !== null &&
      [...drafts.keys()].some((key) => key.startsWith(keyStart)),
  );
}

export function useDraft(field: DraftField): EditedField {
  const { key, stored } = field;
  const element = useRef<Field>(null);
  const attach = useCallback((next: Field | null): void => {
    element.current = next;
  }, []);
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? null);
  const latest = useRef(field);
  useLayoutEffect(() => {
    latest.current = field;
  });
  const isMounted = useRef(true);
  // Typing began before the stored value was known.
  useEffect(() => {
    if (stored !== null && draft?.base === null)
      put(key, { type: "kept", stored });
  }, [key, stored, draft]);

  const attempt = useCallback(
    async (isHalfNow?: boolean): Promise<void> => {
      if (isHalfNow === true && !drafts.get(key)?.isHalf)
        put(key, {
          ...({ type: "typed", text: "", isHalf: true } as const),
          stored: latest.current.stored,
        });
      // A draft typed since then is based on the result of the save before it.
      while (isAhead(drafts.get(key))) await underWay.get(key);
      const { stored: now, isGone = false, read, save } = latest.current;
      const typed = drafts.get(key);
      if (!typed || isGone) return;
      if (isHalfNow ?? typed.isHalf) {
        put(key, { type: "wrong", reason: t("manager.incompleteValue") });
        return;
      }
      const { text, sent, base } = typed;
      // Enter followed by leaving the field is a single change.
      if (sent !== null) {
        await underWay.get(key);
        return;
      }
      if (isChanged(typed, latest.current)) return;
      const parsed = read(text);
      if ("wrong" in parsed) {
        put(key, { type: "wrong", reason: parsed.wrong });
        return;
      }
      if (parsed.stored === now) {
        put(key, { type: "dropped" });
        return;
      }
      const event = { text, stored: parsed.stored };
      put(key, { type: "sent", ...event });
      const saving = save(text, base ?? now)
        .then(
          (outcome) => {
            if (outcome.isSaved) put(key, { type: "saved", ...event });
            else put(key, { type: "failed", reason: outcome.reason });
          },
          // Otherwise the draft would count as being saved, and be neither saved again nor dropped.
          (error: unknown) =>
            put(key, { type: "failed", reason: reasonOf(error) }),
        )
        .then(() => undefined);
      underWay.set(key, saving);
      await saving;
      underWay.delete(key);
      if (!isMounted.current) leftBehind(latest.current);
    },
    [key],
  );

  const leave = useCallback(
    async (isHalfNow?: boolean): Promise<boolean> => {
      await attempt(isHalfNow);
      return !drafts.has(key);
    },
    [key, attempt],
  );

  useEffect(() => {
    isMounted.current = true;
    if (awaited === key) {
      awaited = null;
      element.current?.focus();
    }
    return () => {
      isMounted.current = false;
      if (latest.current.isKept) return;
      if (latest.current.isGone) put(key, { type: "dropped" });
      // Like a click elsewhere.
      leave()
        .then(() => {
          if (!isMounted.current) leftBehind(latest.current);
        })
        .catch(notifyInternalError);
    };
  }, [key, leave]);

  const drop = useCallback(() => {
    put(key, { type: "dropped" });
  }, [key]);
  return {
    ...{ attach, leave, drop },
    typed: draft?.text ?? null,
    wrong: draft?.wrong ?? null,
    isChanged: draft !== null && isChanged(draft, field),
    type: (text, isHalf = false) => {
      put(key, { type: "typed", text, isHalf, stored });
    },
    keepMine: () => {
      put(key, { type: "kept", stored });
      element.current?.focus();
      leave().catch(notifyInternalError);
    },
    useTheirs: () => {
      drop();
      element.current?.focus();
    },
  };
}

/** Whether something other than the current draft is being saved. */
function isAhead(draft: Draft | undefined): boolean {
  return draft?.sent != null && draft.sent.text !== draft.text;
}

function isChanged(
  draft: Draft,
  { stored, canMerge, read }: Pick<DraftField, "stored" | "canMerge" | "read">,
): boolean {
  if (!isChangedElsewhere(draft, stored) || stored === null) return false;
  const { base, text } = draft;
  const parsed = read(text);
  // Both wrote the same.
  if ("stored" in parsed && parsed.stored === stored) return false;
  return !(base !== null && canMerge?.(base, text, stored) === true);
}

const noticeOf = (key: string): string => `left ${key}`;

/** Shown once the focus has left the field: why it is not saved, and a link back to it. */
function leftBehind({ key, place, ...field }: DraftField): void {
  const draft = drafts.get(key);
  if (!draft || draft.sent !== null) return;
  const reason =
    draft.wrong ??
    (isChanged(draft, field) ? t("manager.changedMeanwhile") : null);
  const { goBack } = place;
  const canGoBack = goBack !== null && !draft.isHalf;
  if (!canGoBack) put(key, { type: "dropped" });
  // Its error is on the page already.
  if (reason === null) return;
  notifications.show({
    id: noticeOf(key),
    title: t("manager.fieldNotSaved", { field: place.field, name: place.of }),
    message: goBack
      ? createElement(
          "span",
          {},
          createElement("bdi", {}, reason),
          createElement(
            NoticeButton,
            {
              onClick: () => {
                notifications.hide(noticeOf(key));
                awaited = key;
                goBack();
              },
            },
            t("manager.backToField"),
          ),
        )
      : reason,
    color: "red",
    role: "alert",
    autoClose: false,
    closeButtonProps,
  });
}
