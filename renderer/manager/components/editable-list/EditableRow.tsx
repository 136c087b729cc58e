// An entry of a list: switched on and off, edited, and deleted after a question.

import { Box, Button, Group, Switch } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../controls/Confirmation.tsx";
import { EntryLine, EntryText } from "./EntryLine.tsx";
import { notifyInternalError } from "../outcomes/outcome.ts";

interface Props {
  readonly name: string;
  readonly isEnabled: boolean;
  /** For those who may not change it. */
  readonly isReadOnly?: boolean;
  /** Names for screen readers. */
  readonly labels: {
    readonly enable: string;
    readonly edit: string;
    readonly remove: string;
  };
  readonly question: string;
  readonly consequence: string;
  /** Beside “Edit”. */
  readonly buttons?: ReactNode;
  /** One that such a button asks; null while it is not asked. */
  readonly otherQuestion?: ReactNode;
  readonly children: ReactNode;
  readonly onEnable: (isEnabled: boolean) => Promise<void>;
  readonly onEdit: () => void;
  readonly onRemove: () => Promise<void>;
}

export function EditableRow(props: Props): ReactNode {
  const { labels, onEnable, isReadOnly = false } = props;
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <EntryLine>
      {isReadOnly ? null : (
        <Switch
          aria-label={labels.enable}
          checked={props.isEnabled}
          onChange={(event) => {
            onEnable(event.currentTarget.checked).catch(notifyInternalError);
          }}
        />
      )}
      <EntryText name={props.name}>
        {isReadOnly && !props.isEnabled ? (
          <span className="quiet">{t("manager.isOff")}</span>
        ) : null}
        {props.children}
      </EntryText>
      {isReadOnly ? null : (
        <Group gap={8}>
          {props.buttons}
          <Button
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden />}
            aria-label={labels.edit}
            onClick={props.onEdit}
          >
            {t("alerts.edit")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            aria-label={labels.remove}
            onClick={() => {
              setIsConfirming(true);
            }}
          >
            {t("alerts.remove")}
          </Button>
        </Group>
      )}
      {isConfirming ? (
        <Box flex="1 1 100%">
          <NamedQuestion
            question={props.question}
            consequence={props.consequence}
            no={t("manager.cancel")}
            yes={t("alerts.remove")}
            onNo={() => {
              setIsConfirming(false);
            }}
            onYes={props.onRemove}
          />
        </Box>
      ) : props.otherQuestion ? (
        <Box flex="1 1 100%">{props.otherQuestion}</Box>
      ) : null}
    </EntryLine>
  );
}
