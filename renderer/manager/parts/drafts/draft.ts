// What is typed into a field, kept beside the value it began with, so that a change from elsewhere is noticed. Pure.

export interface Draft {
  /** The stored value when typing began; null where it was not known yet. */
  readonly base: string | null;
  readonly text: string;
  /** No value yet, as half a date: its text is in the field alone. */
  readonly isHalf: boolean;
  /** While it is saved: what was typed then, and what is stored when that is done. */
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
  /** The person keeps what is typed, knowing what is stored by now. */
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
      // What was typed since is not saved yet: it goes by what is stored now.
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

/** Whether what is stored is neither what the draft began with nor what it is saved as. */
export function isChangedElsewhere(
  draft: Draft | null,
  stored: string | null,
): boolean {
  if (draft === null || draft.base === null || stored === null) return false;
  return stored !== draft.base && stored !== draft.sent?.stored;
}
