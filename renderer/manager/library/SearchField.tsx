// The words that are searched: the field follows the finger, and what they find follows as soon as it is drawn.

import { ActionIcon, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { startTransition, useState, type ReactNode } from "react";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly words: string;
  /** It was called by what happened elsewhere, and takes the keyboard. */
  readonly isCalled: boolean;
  readonly onWords: (words: string) => void;
  readonly onDown: () => void;
}

export function SearchField(props: Props): ReactNode {
  const [typed, setTyped] = useState(props.words);
  const type = (words: string): void => {
    setTyped(words);
    startTransition(() => {
      props.onWords(words);
    });
  };
  return (
    <TextInput
      className="library-search"
      type="search"
      autoFocus={props.isCalled}
      aria-label={texts.library.search}
      placeholder={texts.library.search}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      rightSection={
        typed === "" ? null : (
          <ActionIcon
            size={36}
            aria-label={texts.library.clearSearch}
            onClick={() => {
              type("");
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )
      }
      value={typed}
      onChange={(event) => {
        type(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "Enter") {
          event.preventDefault();
          props.onDown();
        }
        if (event.key === "Escape") type("");
      }}
    />
  );
}
