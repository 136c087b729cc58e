// One row of a content service: renamed in place, a playlist switched, deleted by name.

import {
  ActionIcon,
  Button,
  Group,
  Box,
  Switch,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from "react";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { operate } from "../../api/operations.ts";
import { focusInstead } from "../../components/focus/focus.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { can } from "../../place/abilities.ts";
import { t } from "../../../locales/messages.ts";
import { ChangeQuestion } from "../../fleet/ChangeQuestion.tsx";
import {
  fleetConsequenceOf,
  type Consequence,
} from "../../fleet/what-if-text.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import {
  idOf,
  nameField,
  nameOf,
  type Collection,
  type Row,
} from "./service-row.ts";

interface Props {
  readonly connectionId: string;
  readonly collection: Collection;
  readonly row: Row;
  /** Queued changes that the content service does not show yet. */
  readonly queuedFields: Row;
  readonly onChanged: () => Promise<void>;
}

/** To be answered before a playlist is switched. */
interface UnconfirmedSwitch {
  readonly isOn: boolean;
  readonly consequence: Consequence;
}

export function ServiceRow(props: Props): ReactNode {
  const { collection, row } = props;
  const [open, setOpen] = useState<
    "rename" | "remove" | UnconfirmedSwitch | null
  >(null);
  const [removal, setRemoval] = useState<Consequence | null>(null);
  const name = nameOf(collection, row);
  const close = () => {
    setOpen(null);
  };
  if (open === "remove")
    return (
      <li>
        <Remove {...props} consequence={removal} onClose={close} />
      </li>
    );
  if (open === "rename")
    return (
      <li>
        <Rename {...props} onClose={close} />
      </li>
    );
  if (open !== null) {
    const { isOn, consequence } = open;
    return (
      <li>
        <ChangeQuestion
          question={
            isOn
              ? t("whatIf.enableQuestion", { name })
              : t("whatIf.disableQuestion", { name })
          }
          consequence={consequence}
          apply={isOn ? t("whatIf.enable") : t("whatIf.disable")}
          onCancel={close}
          onApply={async () => {
            await switchAndNotify(props, isOn, consequence.isHeldBack);
            close();
            await props.onChanged();
          }}
        />
      </li>
    );
  }
  return (
    <li>
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
      </div>
      {collection === "playlists" && typeof row["is_enabled"] === "boolean" ? (
        <Enabled
          {...props}
          isEnabled={row["is_enabled"]}
          onUnconfirmed={setOpen}
        />
      ) : null}
      {collection === "screens" ? null : (
        <>
          <Tooltip label={t("remoteEditing.rename")}>
            <ActionIcon
              variant="default"
              aria-label={t("remoteEditing.renameNamed", { name })}
              onClick={() => {
                setOpen("rename");
              }}
            >
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t("remoteEditing.delete")}>
            <ActionIcon
              variant="default"
              aria-label={t("remoteEditing.deleteNamed", { name })}
              onClick={() => {
                setOpen("remove");
                setRemoval(null);
                consequenceOf(rowChangeOf(props, null))
                  .then(setRemoval)
                  .catch(notifyInternalError);
              }}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </li>
  );
}

type RowChange = ManagerInput<"previewRowChange">;

/** Null for what no screen shows by itself. */
function rowChangeOf(
  { connectionId: serviceId, collection, row }: Props,
  isEnabled: boolean | null,
): RowChange | null {
  return collection === "playlists" || collection === "labels"
    ? { serviceId, collection, id: idOf(row), isEnabled }
    : null;
}

/** Without an answer, the change is still possible, and the service holds back what breaks an assertion. */
async function consequenceOf(
  change: RowChange | null,
): Promise<Consequence | null> {
  if (change === null || !can("screens")) return null;
  const preview = await window.manager
    .previewRowChange(change)
    .catch(() => null);
  return preview && fleetConsequenceOf(preview);
}

function Remove(
  props: Props & {
    /** Null before it is known, or where there is none. */
    readonly consequence: Consequence | null;
    readonly onClose: () => void;
  },
): ReactNode {
  const { collection, row, consequence, onClose, onChanged } = props;
  const name = nameOf(collection, row);
  const isHeldBack = consequence?.isHeldBack === true;
  const about = t("remoteEditing.deleteConsequence");
  return (
    <NamedQuestion
      question={t("remoteEditing.deleteQuestion", { name })}
      consequence={consequence ? `${about} ${consequence.text}` : about}
      no={t("connections.cancel")}
      yes={isHeldBack ? t("whatIf.deleteAnyway") : t("remoteEditing.delete")}
      onNo={onClose}
      onYes={async () => {
        try {
          // The queue sends only what the service would not hold back.
          const removal = isHeldBack ? rowChangeOf(props, null) : null;
          if (removal) await window.manager.applyRowChange(removal);
          else await change(props, "delete", {}, row);
          notifySuccess(t("remoteEditing.deleted", { name }));
        } catch (error) {
          notifyFailure(t("remoteEditing.changeFailed"), error);
        } finally {
          onClose();
          await onChanged();
        }
      }}
    />
  );
}

function Enabled(
  props: Props & {
    readonly isEnabled: boolean;
    readonly onUnconfirmed: (unconfirmed: UnconfirmedSwitch) => void;
  },
): ReactNode {
  const { collection, row, isEnabled, onChanged } = props;
  const name = nameOf(collection, row);
  // The requested value is shown until the content service has it, and until then waits in the queue: pressing again reverts it.
  const queued = props.queuedFields["is_enabled"];
  const [pressed, setPressed] = useState<boolean | null>(null);
  const press = async (isOn: boolean): Promise<void> => {
    const forget = () => {
      setPressed((latest) => (latest === isOn ? null : latest));
    };
    setPressed(isOn);
    const consequence = await consequenceOf(rowChangeOf(props, isOn));
    if (consequence) {
      forget();
      props.onUnconfirmed({ isOn, consequence });
    } else if (await switchAndNotify(props, isOn, false))
      await onChanged().finally(forget);
    else forget();
  };
  return (
    <Switch
      aria-label={t("remoteEditing.enableNamed", { name })}
      checked={pressed ?? (typeof queued === "boolean" ? queued : isEnabled)}
      onChange={(event) => {
        press(event.currentTarget.checked).catch(notifyInternalError);
      }}
    />
  );
}

/** Returns whether it was accepted. */
async function switchAndNotify(
  props: Props,
  isOn: boolean,
  isHeldBack: boolean,
): Promise<boolean> {
  const name = nameOf(props.collection, props.row);
  try {
    await switchPlaylist(props, isOn, isHeldBack);
  } catch (error) {
    notifyFailure(t("remoteEditing.changeFailed"), error);
    return false;
  }
  notifyUndoable(
    isOn
      ? t("remoteEditing.enabled", { name })
      : t("remoteEditing.disabled", { name }),
    async () => {
      await switchPlaylist(props, !isOn, false);
      await props.onChanged();
    },
    null,
    [fieldOf(props, "is_enabled")],
  );
  return true;
}

async function switchPlaylist(
  props: Props,
  isOn: boolean,
  isHeldBack: boolean,
): Promise<void> {
  // The queue sends only what the service would not hold back.
  const anyway = isHeldBack ? rowChangeOf(props, isOn) : null;
  if (anyway) await window.manager.applyRowChange(anyway);
  else {
    const before = { ...props.row, is_enabled: !isOn };
    await change(props, "change", { is_enabled: isOn }, before);
  }
}

function Rename(props: Props & { readonly onClose: () => void }): ReactNode {
  const { collection, onClose, onChanged } = props;
  // The row as it was when the field opened. The list may be read again meanwhile, and a change made elsewhere must remain a
  // conflict.
  const [row] = useState(props.row);
  const before = nameOf(collection, row);
  const [name, setName] = useState(before);
  const [isSaving, setIsSaving] = useState(false);
  const field = nameField(collection);
  const form = useFocusToRow();
  const to = async (from: string, newName: string): Promise<void> => {
    const base = { ...row, [field]: from };
    await change(props, "change", { [field]: newName }, base);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const newName = name.trim();
    if (newName === "" || newName === before) return onClose();
    setIsSaving(true);
    try {
      await to(before, newName);
      const undo = () => to(newName, before).then(onChanged);
      const fields = [fieldOf(props, field)];
      notifyUndoable(
        t("remoteEditing.renamed", { previousName: before, name: newName }),
        undo,
        null,
        fields,
      );
      await onChanged();
      onClose();
    } catch (error) {
      notifyFailure(t("remoteEditing.changeFailed"), error);
      setIsSaving(false);
    }
  };
  return (
    <Box
      ref={form}
      component="form"
      w="100%"
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Group gap={8}>
        <TextInput
          flex="1 1 240px"
          aria-label={t("remoteEditing.newName", { name: before })}
          dir="auto"
          autoFocus
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Button variant="default" onClick={onClose}>
          {t("connections.cancel")}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t("remoteEditing.save")}
        </Button>
      </Group>
    </Box>
  );
}

/** The field closes when it is answered; the row stays. */
function useFocusToRow() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const row = form.current?.parentElement;
    return () => {
      if (row) focusInstead(row, "button");
    };
  }, []);
  return form;
}

/** A unique name: an earlier notice about the same field no longer offers undo. */
function fieldOf(
  { connectionId, collection, row }: Props,
  field: string,
): string {
  return `${connectionId} ${collection} ${idOf(row)} ${field}`;
}

/** Sent with the row as it was read, so that nothing changed elsewhere meanwhile is overwritten. */
async function change(
  { connectionId, collection, row }: Props,
  action: "change" | "delete",
  fields: Row,
  base: Row,
): Promise<void> {
  await operate("createSyncChange", {
    parameters: { id: connectionId },
    body: {
      ...{ collection, action, id: idOf(row), base },
      ...(action === "delete" ? {} : { fields }),
    },
  });
}
