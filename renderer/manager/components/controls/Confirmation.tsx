// Confirmation of an action that cannot be undone: it names the object, and the safe choice has the focus.

import { Box, Button, Group, Text } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useFocusBack } from "../focus/focus-back.ts";
import { Note } from "../layout/Note.tsx";
import { notifyInternalError } from "../outcomes/outcome.ts";

interface Props {
  readonly question: string;
  /** What confirming will do. */
  readonly consequence: string;
  readonly no: string;
  readonly yes: string;
  /** Red where something is deleted permanently. */
  readonly isGrave?: boolean;
  /** A third choice besides confirming and cancelling. */
  readonly other?: { readonly label: string; readonly onChoose: () => void };
  readonly onNo: () => void;
  readonly onYes: () => Promise<unknown>;
}

export function NamedQuestion(props: Props): ReactNode {
  const { question, consequence, no, yes, isGrave = true } = props;
  const [isUnderWay, setIsUnderWay] = useState(false);
  const box = useFocusBack<HTMLDivElement>();
  const answer = useRef<HTMLButtonElement>(null);
  // No button can have the focus while the action is pending: the dialog keeps it, so that the keyboard continues from here.
  useEffect(() => {
    const [dialog, yes] = [box.current, answer.current];
    if (!isUnderWay || !dialog) return undefined;
    dialog.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === dialog) yes?.focus();
    };
  }, [box, isUnderWay]);
  return (
    <Note
      tone="waiting"
      ref={box}
      tabIndex={-1}
      className="named-question"
      role="alertdialog"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isUnderWay) return;
        event.stopPropagation();
        props.onNo();
      }}
    >
      <Box flex="1 1 280px" miw={0}>
        <Text fw={600}>{question}</Text>
        <Text c="dimmed">{consequence}</Text>
      </Box>
      <Group align="stretch" gap={8} ms="auto">
        {/* The safe choice has the focus: pressing Enter twice changes nothing. */}
        <Button
          variant="default"
          autoFocus
          disabled={isUnderWay}
          onClick={props.onNo}
        >
          {no}
        </Button>
        {props.other ? (
          <Button
            variant="default"
            disabled={isUnderWay}
            onClick={props.other.onChoose}
          >
            {props.other.label}
          </Button>
        ) : null}
        <Button
          ref={answer}
          {...(isGrave && { color: "red" })}
          loading={isUnderWay}
          onClick={() => {
            setIsUnderWay(true);
            props
              .onYes()
              .finally(() => {
                setIsUnderWay(false);
              })
              .catch(notifyInternalError);
          }}
        >
          {yes}
        </Button>
      </Group>
    </Note>
  );
}
