// Choosing what takes the screen over, for how long, and sending it by a held button.

import { Select, Switch, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  useState,
  type KeyboardEvent as KeyPress,
  type ReactNode,
} from "react";
import type { TakeoverMessage } from "../../../server/contract/v2-settings.ts";
import { nowKey, reasonOf } from "../api.ts";
import { keyOf, operate } from "../operations.ts";
import { texts } from "../texts/texts.ts";
import { EditMessages } from "./EditMessages.tsx";
import { HoldButton } from "./HoldButton.tsx";
import { bodyOf, useMessages } from "./messages.ts";

/** In seconds; null is until somebody ends it. */
const spans: readonly (number | null)[] = [null, 60, 300, 900, 3600];
const untilEnded = "none";
/** As the player has it. */
const longestDrill = 60;
const ownText = "own-text";

interface Props {
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
}

export function Sending({ isEditing, onEdit }: Props): ReactNode {
  const client = useQueryClient();
  const messages = useMessages();
  const [chosen, setChosen] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [span, setSpan] = useState<string | null>(null);
  const [isDrill, setIsDrill] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const message = messages.list.find(({ id }) => id === chosen);
  const isReady =
    message !== undefined || (chosen === ownText && text.trim() !== "");
  const seconds = span === null ? (message?.seconds ?? null) : secondsIn(span);
  const lasting = isDrill
    ? Math.min(seconds ?? longestDrill, longestDrill)
    : seconds;

  /** The next one is chosen anew. */
  const beginAnew = (): void => {
    setChosen(null);
    setText("");
    setSpan(null);
    setIsDrill(false);
  };
  const send = async (): Promise<void> => {
    setRefusal(null);
    const what = message ?? { name: text.trim(), text: text.trim() };
    let isSent = true;
    try {
      await operate("takeOver", { body: bodyOf(what, seconds, isDrill) });
    } catch (error) {
      isSent = false;
      setRefusal(`${reasonOf(error)} ${texts.takeover.programmeGoesOn}`);
    }
    await client.invalidateQueries({ queryKey: keyOf("readTakeover") });
    await client.invalidateQueries({ queryKey: nowKey });
    if (isSent) beginAnew();
  };

  if (isEditing)
    return (
      <EditMessages
        messages={messages}
        onDone={() => {
          onEdit(false);
        }}
      />
    );
  return (
    <div className="takeover-sending" onKeyDown={holdFromChoice}>
      <p className="quiet">{texts.takeover.says}</p>
      <fieldset className="takeover-choices">
        <legend className="only-aloud">{texts.takeover.ready}</legend>
        {messages.list.map((one, index) => (
          <Choice
            key={one.id}
            isFirst={index === 0}
            isChosen={one.id === chosen}
            name={one.name}
            says={sayingOf(one)}
            onChoose={() => {
              setChosen(one.id);
            }}
          />
        ))}
        <Choice
          isFirst={false}
          isChosen={chosen === ownText}
          name={texts.takeover.own}
          says={texts.takeover.ownSays}
          onChoose={() => {
            setChosen(ownText);
          }}
        />
      </fieldset>
      {chosen === ownText ? (
        <Textarea
          label={texts.takeover.ownText}
          autosize
          autoFocus
          minRows={2}
          maxLength={500}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
        />
      ) : null}
      <Select
        label={texts.takeover.howLong}
        allowDeselect={false}
        data={spansWith(lasting).map((one) => ({
          value: spanOf(one),
          label:
            one === null
              ? texts.takeover.untilEnded
              : texts.takeover.forSeconds(one),
        }))}
        value={spanOf(lasting)}
        disabled={isDrill}
        onChange={setSpan}
      />
      <Switch
        label={texts.takeover.isDrill}
        description={texts.takeover.drillHelp}
        checked={isDrill}
        onChange={(event) => {
          setIsDrill(event.currentTarget.checked);
        }}
      />
      {refusal === null ? null : (
        <p role="alert" className="takeover-fault" dir="auto">
          {refusal}
        </p>
      )}
      <HoldButton isDisabled={!isReady} onHeld={() => void send()}>
        {isReady
          ? isDrill
            ? texts.takeover.holdToDrill
            : texts.takeover.holdToSend
          : texts.takeover.chooseFirst}
      </HoldButton>
      <button
        type="button"
        className="quiet-button"
        onClick={() => {
          onEdit(true);
        }}
      >
        {texts.takeover.edit}
      </button>
    </div>
  );
}

/** Enter held on a chosen message is the button held: nobody looks for it in a hurry. */
function holdFromChoice(event: KeyPress<HTMLElement>): void {
  const { target, currentTarget, key, repeat } = event;
  const isChoice = target instanceof HTMLInputElement && target.checked;
  if (key !== "Enter" || repeat || !isChoice || target.type !== "radio") return;
  event.preventDefault();
  const button = currentTarget.querySelector<HTMLElement>(".hold-button");
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

/** The usual ones, and the message's own. */
function spansWith(seconds: number | null): readonly (number | null)[] {
  return spans.includes(seconds)
    ? spans
    : [...spans, seconds].sort((a, b) => (a ?? 0) - (b ?? 0));
}

function spanOf(seconds: number | null): string {
  return seconds === null ? untilEnded : String(seconds);
}

function secondsIn(span: string): number | null {
  return span === untilEnded ? null : Number(span);
}

function sayingOf({ text, url }: TakeoverMessage): string {
  return text ?? url ?? texts.takeover.anAsset;
}

function Choice(props: {
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly name: string;
  readonly says: string;
  readonly onChoose: () => void;
}): ReactNode {
  return (
    <label className="takeover-choice">
      <input
        type="radio"
        name="takeover"
        data-autofocus={props.isFirst ? true : undefined}
        checked={props.isChosen}
        onChange={props.onChoose}
      />
      <span className="takeover-words">
        <span className="takeover-name">
          <bdi>{props.name}</bdi>
        </span>
        <span className="quiet">
          <bdi>{props.says}</bdi>
        </span>
      </span>
    </label>
  );
}
