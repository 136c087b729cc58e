// Confirmation of an action that cannot be undone: it names the object, and the safe choice has the focus.

import { Button } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useFocusBack } from "../focus/focus-back.ts";
import "./confirmation.css";
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
    <div
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
      <div className="named-question-words">
        <p className="named-question-title">{question}</p>
        <p className="quiet">{consequence}</p>
      </div>
      <div className="named-question-answers">
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
          {...(isGrave ? { className: "named-question-grave" } : {})}
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
      </div>
    </div>
  );
}
