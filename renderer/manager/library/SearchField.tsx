// The search field. Plain elements: the field and its results are rendered together at every keystroke.

import { useMediaQuery } from "@mantine/hooks";
import { IconSearch, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly words: string;
  /** Mounted because of an action elsewhere; takes the focus. */
  readonly isCalled: boolean;
  readonly onWords: (words: string) => void;
  readonly onDown: () => void;
}

export function SearchField(props: Props): ReactNode {
  const { words, onWords, onDown } = props;
  const isNarrow = useMediaQuery("(width < 1100px)", false, {
    getInitialValueInEffect: false,
  });
  return (
    <div className="library-search">
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <input
        type="search"
        autoFocus={props.isCalled}
        aria-label={t("library.search")}
        placeholder={isNarrow ? t("library.searchShort") : t("library.search")}
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "Enter") {
            event.preventDefault();
            onDown();
          }
          if (event.key === "Escape") onWords("");
        }}
      />
      {words === "" ? null : (
        <button
          type="button"
          aria-label={t("library.clearSearch")}
          onClick={() => {
            onWords("");
          }}
        >
          <IconX size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
