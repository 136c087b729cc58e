// What is heard of slides while the glass changes: kept until it has, since only then it is known what is on it.

export interface Meanwhile {
  /** To be done once the change is over, if this slide is on the glass then. */
  keep(slideId: string, act: () => void): void;
  /** The change is over, with this slide on the glass; of any other nothing counts any more. */
  over(slideId: string | undefined): void;
}

export function createMeanwhile(): Meanwhile {
  let kept: { readonly slideId: string; readonly act: () => void }[] = [];

  return {
    keep: (slideId, act) => void kept.push({ slideId, act }),
    over: (onGlass) => {
      const due = kept.filter(({ slideId }) => slideId === onGlass);
      // The next change may begin with the first of these.
      kept = [];
      for (const { act } of due) act();
    },
  };
}
