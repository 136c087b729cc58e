// Draft of a field, kept with the value it started from, so that a change from elsewhere is noticed. Pure.

export interface Draft {
  /** The stored value when typing began; null where it was not known yet. */
  readonly base: string | null;
  readonly text: string;
  /** Not a value yet, such as half a date: its text exists only in the field. */
  readonly isHalf: boolean;
  /** While saving: the text typed then, and the value that will be stored. */
  readonly sent: Sent | null;
  /** Why it is not saved. */
  readonly wrong: string | null;
}

interface Sent {
  readonly text: string;
  readonly stored: string;
}

export type DraftEvent =
  | {
      readonly type: "typed";
      readonly text: string;
      readonly isHalf: boolean;
      readonly stored: string | null;
    }
  | { readonly type: "wrong"; readonly reason: string | null }
  | ({ readonly type: "sent" } & Sent)
  | ({ readonly type: "saved" } & Sent)
  | { readonly type: "failed"; readonly reason: string | null }
  /** The operator keeps the draft, knowing the stored value. */
  | { readonly type: "kept"; readonly stored: string | null }
  | { readonly type: "dropped" };

export function draftAfter(
  draft: Draft | null,
  event: DraftEvent,
): Draft | null {
  if (event.type === "typed") {
    const { text, isHalf, stored } = event;
    const { base, sent } = draft ?? { base: stored, sent: null };
    return { base, text, isHalf, sent, wrong: null };
  }
  if (draft === null) return null;
  switch (event.type) {
    case "wrong":
      return { ...draft, wrong: event.reason };
    case "sent": {
      const { text, stored } = event;
      return { ...draft, sent: { text, stored }, wrong: null };
    }
    case "saved":
      // Text typed since then is not saved yet: it is based on what is stored now.
      return draft.text === event.text && !draft.isHalf
        ? null
        : { ...draft, base: event.stored, sent: null };
    case "failed":
      return { ...draft, sent: null, wrong: event.reason };
    case "kept":
      return { ...draft, base: event.stored, wrong: null };
    case "dropped":
      return null;
  }
}

/** Whether the stored value is neither the base of the draft nor what it is saved as. */
export function isChangedElsewhere(
  draft: Draft | null,
  stored: string | null,
): boolean {
  if (draft === null || draft.base === null || stored === null) return false;
  return stored !== draft.base && stored !== draft.sent?.stored;
}
