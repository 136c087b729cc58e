// A question before something that cannot be undone: it names what goes, and the harmless answer has the focus.

import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useFocusBack } from "./focus-back.ts";
import "./named-question.css";

interface Props {
  readonly question: string;
  /** What follows from a yes. */
  readonly consequence: string;
  readonly no: string;
  readonly yes: string;
  /** Red where something goes for good. */
  readonly isGrave?: boolean;
  /** Another way than yes or no. */
  readonly other?: { readonly label: string; readonly onChoose: () => void };
  readonly onNo: () => void;
  readonly onYes: () => Promise<unknown>;
}

export function NamedQuestion(props: Props): ReactNode {
  const { question, consequence, no, yes, isGrave = true } = props;
  const [isUnderWay, setIsUnderWay] = useState(false);
  const box = useFocusBack<HTMLDivElement>();
  return (
    <div
      ref={box}
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
        {/* The harmless answer has the focus: Enter twice changes nothing. */}
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
          {...(isGrave ? { className: "named-question-grave" } : {})}
          loading={isUnderWay}
          onClick={() => {
            setIsUnderWay(true);
            void props.onYes().finally(() => {
              setIsUnderWay(false);
            });
          }}
        >
          {yes}
        </Button>
      </div>
    </div>
  );
}
