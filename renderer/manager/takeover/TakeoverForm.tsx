// Form of a takeover: choose content and duration, then press and hold to start.

import {
  Anchor,
  Flex,
  Stack,
  Switch,
  Text,
  Textarea,
  VisuallyHidden,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  useState,
  type KeyboardEvent as KeyPress,
  type ReactNode,
} from "react";
import { ChoiceCard } from "../components/controls/ChoiceCard.tsx";
import type { TakeoverMessage } from "../../../server/contract/v2/v2-settings.ts";
import { nowKey } from "../api/api.ts";
import { reasonOf } from "../api/reason.ts";
import { keyOf, operate } from "../api/operations.ts";
import { DurationField } from "./DurationField.tsx";
import { EditMessages } from "./EditMessages.tsx";
import { HoldButton } from "./HoldButton.tsx";
import { bodyOf, useMessages } from "./messages.ts";
import { t } from "../../locales/messages.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** The player's limit. */
const longestDrill = 60;
const customText = "own-text";

/** What is chosen and typed, and not sent yet. */
interface Draft {
  /** A preset or the custom text; null is neither. */
  readonly chosen: string | null;
  readonly text: string;
  /** Undefined is the preset's duration, null until stopped. */
  readonly seconds: number | null | undefined;
  readonly isDrill: boolean;
}

export const noDraft: Draft = {
  ...{ chosen: null, text: "", seconds: undefined, isDrill: false },
};

interface Props {
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  /** A takeover is running already. */
  readonly isRunning: boolean;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
}

export function Sending(props: Props): ReactNode {
  const { isEditing, onEdit, isRunning, draft, onDraft } = props;
  const { chosen, text, isDrill } = draft;
  const client = useQueryClient();
  const messages = useMessages();
  const [refusal, setRefusal] = useState<string | null>(null);
  const message = messages.list.find(({ id }) => id === chosen);
  const isReady =
    message !== undefined || (chosen === customText && text.trim() !== "");
  const seconds =
    draft.seconds === undefined ? (message?.seconds ?? null) : draft.seconds;
  const durationSeconds = isDrill
    ? Math.min(seconds ?? longestDrill, longestDrill)
    : seconds;
  const change = (next: Partial<Draft>): void => {
    onDraft({ ...draft, ...next });
  };

  const send = async (): Promise<void> => {
    setRefusal(null);
    const what = message ?? { name: text.trim(), text: text.trim() };
    let isSent = true;
    try {
      await operate("takeOver", { body: bodyOf(what, seconds, isDrill) });
    } catch (error) {
      isSent = false;
      setRefusal(`${reasonOf(error)} ${t("takeover.scheduleContinues")}`);
    }
    await client.invalidateQueries({ queryKey: keyOf("readTakeover") });
    await client.invalidateQueries({ queryKey: nowKey });
    // The next one starts with an empty form.
    if (isSent) onDraft(noDraft);
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
    <Stack onKeyDown={holdFromChoice}>
      <p className="quiet">
        {isRunning ? t("takeover.replaces") : t("takeover.description")}
      </p>
      <Flex direction="column" gap={8} component="fieldset">
        <legend>
          <VisuallyHidden>{t("takeover.ready")}</VisuallyHidden>
        </legend>
        {messages.list.map((one, index) => (
          <Choice
            key={one.id}
            isFirst={index === 0}
            isChosen={one.id === chosen}
            name={one.name}
            description={messageLabel(one)}
            onChoose={() => {
              change({ chosen: one.id });
            }}
          />
        ))}
        <Choice
          isFirst={false}
          isChosen={chosen === customText}
          name={t("takeover.custom")}
          description={t("takeover.customDescription")}
          onChoose={() => {
            change({ chosen: customText });
          }}
        />
      </Flex>
      {chosen === customText ? (
        <Textarea
          label={t("takeover.customText")}
          autosize
          autoFocus
          minRows={2}
          maxLength={500}
          value={text}
          onChange={(event) => {
            change({ text: event.currentTarget.value });
          }}
        />
      ) : null}
      <DurationField
        key={chosen}
        label={t("takeover.duration")}
        seconds={durationSeconds}
        isDisabled={isDrill}
        onChange={(next) => {
          change({ seconds: next });
        }}
      />
      <Switch
        label={t("takeover.isDrill")}
        description={t("takeover.drillHelp")}
        checked={isDrill}
        onChange={(event) => {
          change({ isDrill: event.currentTarget.checked });
        }}
      />
      {refusal === null ? null : (
        <Text role="alert" c="var(--fault)" dir="auto">
          {refusal}
        </Text>
      )}
      <HoldButton
        isDisabled={!isReady}
        onHeld={() => {
          send().catch(notifyInternalError);
        }}
      >
        {isReady
          ? isDrill
            ? t("takeover.holdToDrill")
            : t("takeover.holdToSend")
          : t("takeover.chooseFirst")}
      </HoldButton>
      <Anchor
        component="button"
        type="button"
        underline="always"
        mih={36}
        c="var(--accent)"
        style={{ alignSelf: "flex-start", textUnderlineOffset: "2px" }}
        onClick={() => {
          onEdit(true);
        }}
      >
        {t("takeover.edit")}
      </Anchor>
    </Stack>
  );
}

/** Holding Enter on a chosen message acts as holding the button: nobody has to look for it in a hurry. */
function holdFromChoice(event: KeyPress<HTMLElement>): void {
  const { target, currentTarget, key, repeat } = event;
  const isChoice = target instanceof HTMLInputElement && target.checked;
  if (key !== "Enter" || repeat || !isChoice || target.type !== "radio") return;
  event.preventDefault();
  const button = currentTarget.querySelector<HTMLElement>(".hold-button");
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

function messageLabel({ text, url }: TakeoverMessage): string {
  return text ?? url ?? t("takeover.anAsset");
}

function Choice(props: {
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly name: string;
  readonly description: string;
  readonly onChoose: () => void;
}): ReactNode {
  return (
    <ChoiceCard
      name="takeover"
      isGrave
      bdrs={8}
      isFirst={props.isFirst}
      isChosen={props.isChosen}
      onChoose={props.onChoose}
    >
      <Flex
        component="span"
        className="takeover-words"
        direction="column"
        miw={0}
        lh="18px"
      >
        <Text component="span" truncate fw={600}>
          <bdi>{props.name}</bdi>
        </Text>
        <Text component="span" truncate c="dimmed">
          <bdi>{props.description}</bdi>
        </Text>
      </Flex>
    </ChoiceCard>
  );
}
