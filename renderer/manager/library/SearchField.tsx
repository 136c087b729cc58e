// The search field of the library.

import { CloseButton, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
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
    <TextInput
      className="library-search"
      flex={{ base: "1 1 170px", md: "1 1 220px" }}
      maw={420}
      type="search"
      autoFocus={props.isCalled}
      aria-label={t("library.search")}
      placeholder={isNarrow ? t("library.searchShort") : t("library.search")}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      rightSection={
        words === "" ? null : (
          <CloseButton
            aria-label={t("library.clearSearch")}
            onClick={() => {
              onWords("");
            }}
          />
        )
      }
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
  );
}
