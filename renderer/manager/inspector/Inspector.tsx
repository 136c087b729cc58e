// Details of the selected assets: every field, where they are used, and the actions for them.

import { Button, Flex, Group, Stack, Text, Title } from "@mantine/core";
import { IconCast, IconTrash } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";
import { ActivityLink } from "../components/controls/ActivityLink.tsx";
import { DetailsHead } from "../components/layout/DetailsHead.tsx";
import type { AssetView } from "../api/asset-view.ts";
import { LocalChangesNote } from "../local-changes/LocalChangesNote.tsx";
import { useOrigin } from "../local-changes/use-origin.ts";
import { discardAssetChanges } from "../assets/asset-actions.ts";
import { AssetThumbnail } from "../assets/AssetThumbnail.tsx";
import type { Folder } from "../assets/search.ts";
import { usePlaybackActions } from "../playback/use-playback-actions.ts";
import { operate } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { SwitchField, TextField } from "./Field.tsx";
import { FileFacts } from "./FileFacts.tsx";
import { hasAppearance, AppearanceFields } from "./AppearanceFields.tsx";
import { PageFields } from "./PageFields.tsx";
import { useDetails, type Details } from "./use-details.ts";
import { kindsOf } from "./asset-usage.ts";
import { Uses } from "./Usage.tsx";
import { WhenFields } from "./ScheduleFields.tsx";

interface Props {
  readonly assets: readonly AssetView[];
  readonly folders: readonly Folder[];
  /** Deleted elsewhere while something was typed: it stays until the operator closes it. */
  readonly isGone: boolean;
  /** Otherwise it only shows them. */
  readonly mayChange: boolean;
  readonly onRemove: () => void;
  readonly onClose: () => void;
  /** Beneath the buttons, about one of them. */
  readonly question: ReactNode;
}

export function Inspector({
  assets,
  folders,
  isGone,
  mayChange,
  onRemove,
  onClose,
  question,
}: Props): ReactNode {
  const details = useDetails(assets, isGone);
  const playbackActions = usePlaybackActions();
  const [first] = assets;
  const only = assets.length === 1 ? first : undefined;
  const origin = useOrigin("assets", only?.id);
  const kinds = kindsOf(assets);
  const isRemote = [...kinds].every((kind) => kind === "webpage");
  // Another asset is another form: no half-typed value carries over.
  const key = assets.map(({ id }) => id).join();
  return (
    <Stack
      className="details"
      gap={12}
      pt={4}
      px={20}
      pb={32}
      key={assets.length === 1 ? key : "several"}
    >
      <DetailsHead
        title={
          only ? (
            <bdi>{only.name}</bdi>
          ) : (
            t("inspector.selectedCount", { count: assets.length })
          )
        }
        onClose={onClose}
      >
        <SaveState details={details} all={assets.length} />
      </DetailsHead>
      {origin === null ? null : (
        <p className="quiet">{t("connections.origin", { name: origin })}</p>
      )}
      {only && !isGone ? (
        <LocalChangesNote
          {...{ kind: "asset", id: only.id, name: only.name }}
          service={origin}
          isAddress={only.fileUrl === null}
          focusAfter=".details-section input"
          discardChanges={(changes, service) =>
            discardAssetChanges(only, changes, service)
          }
        />
      ) : null}
      {isGone && only ? <Deleted asset={only} onClose={onClose} /> : null}
      {only ? (
        <>
          <AssetThumbnail asset={only} />
          {only.problem === null ? null : (
            <Text
              role="note"
              py={8}
              px={12}
              bdrs={8}
              bd="1px solid var(--fault)"
            >
              <strong data-tone="fault">{t("inspector.problem")}:</strong>{" "}
              <span dir="auto">{only.problem}</span>
            </Text>
          )}
        </>
      ) : (
        <p className="quiet">{t("inspector.selectionHelp")}</p>
      )}
      <Group
        className="details-actions"
        gap={8}
        display={isGone || !mayChange ? "none" : undefined}
      >
        {only && can("player") ? (
          <Button
            variant="default"
            leftSection={<IconCast size={18} aria-hidden />}
            onClick={() => {
              playbackActions.show(only).catch(notifyInternalError);
            }}
          >
            {t("inspector.showNow")}
          </Button>
        ) : null}
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={onRemove}
        >
          {t(can("player") ? "inspector.moveToTrash" : "inspector.delete")}
        </Button>
        {only ? <ActivityLink id={only.id} /> : null}
      </Group>

      {question}
      {mayChange ? (
        <Section title={t("inspector.basics")}>
          {only ? (
            <TextField
              {...{ details, name: "name", label: t("inspector.name") }}
            />
          ) : null}
          <TextField
            {...{ details, name: "folder", label: t("inspector.folder") }}
            placeholder={t("inspector.folderHint")}
            list={folders.map(({ path }) => path)}
          />
          {can("player") ? (
            <>
              <SwitchField
                {...{
                  details,
                  name: "is_enabled",
                  label: t("inspector.enabled"),
                }}
              />
              <SwitchField
                {...{ details, name: "playlist_only" }}
                label={t("inspector.playlistOnly")}
                help={t("inspector.playlistOnlyHelp")}
              />
            </>
          ) : null}
        </Section>
      ) : null}
      {can("player") ? (
        <Section title={t("inspector.schedule")}>
          <WhenFields {...{ details, kinds }} />
        </Section>
      ) : null}
      {hasAppearance(kinds) && can("player") ? (
        <Section title={t("inspector.appearance")}>
          <AppearanceFields {...{ details, kinds }} />
        </Section>
      ) : null}
      {isRemote && mayChange ? (
        <Section title={t("inspector.request")}>
          <PageFields details={details} />
        </Section>
      ) : null}
      <Section title={t("inspector.usedIn")}>
        <Uses assets={assets} mayDelete={mayChange} />
      </Section>
      {only ? (
        <Section title={t("inspector.file")}>
          <FileFacts asset={only} />
        </Section>
      ) : null}
    </Stack>
  );
}

function Deleted(props: {
  readonly asset: AssetView;
  readonly onClose: () => void;
}): ReactNode {
  const { asset, onClose } = props;
  const restore = async (): Promise<void> => {
    const body = { asset_ids: [asset.id] };
    try {
      await operate("restoreFromTrash", { body });
    } catch (error) {
      notifyFailure(t("inspector.restoreFailed", { name: asset.name }), error);
    }
  };
  return (
    <Stack gap={12} p={12} bdrs={8} bd="1px solid var(--fault)" role="alert">
      <p>
        <strong>{t("inspector.deletedElsewhere")}</strong>{" "}
        {t(can("player") ? "inspector.unsavedInput" : "inspector.inputIsLost")}
      </p>
      <Group className="details-actions" gap={8}>
        {can("player") ? (
          <Button
            variant="default"
            onClick={() => {
              restore().catch(notifyInternalError);
            }}
          >
            {t("inspector.restore")}
          </Button>
        ) : null}
        <Button variant="default" onClick={onClose}>
          {t("inspector.discard")}
        </Button>
      </Group>
    </Stack>
  );
}

function Section(props: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <Flex
      className="details-section"
      direction="column"
      gap={12}
      component="section"
      pt={12}
      style={{ borderBlockStart: "1px solid var(--line)" }}
      aria-labelledby={id}
    >
      <Title order={3} fz={15} lh="20px" id={id}>
        {props.title}
      </Title>
      {props.children}
    </Flex>
  );
}

/** Shown while saving takes time, and when it is done. */
function SaveState(props: {
  readonly details: Details;
  readonly all: number;
}): ReactNode {
  const { state, done } = props.details;
  return (
    <Text c="dimmed" flex="none" fz={13} lh="18px" role="status">
      {state === "saving" ? (
        <span className="after-a-moment">
          {props.all > 1
            ? t("inspector.savingCount", { done, count: props.all })
            : t("inspector.saving")}
        </span>
      ) : state === "saved" ? (
        t("inspector.saved")
      ) : null}
    </Text>
  );
}
