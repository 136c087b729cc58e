// Gives the selected screens labels or playlists, or takes them away; all screens are of one content service.

import {
  Button,
  Group,
  Modal,
  MultiSelect,
  Stack,
  TagsInput,
  Text,
} from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api.ts";
import {
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../manager-queries.ts";
import { labelsOf, type ScreenItem } from "../find-screens.ts";

interface Props {
  readonly items: readonly ScreenItem[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function AssignDialog(props: Props): ReactNode {
  const { items, isOpen, onClose } = props;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("screens.assign.title", { count: items.length })}
    >
      <AssignFields {...props} />
    </Modal>
  );
}

/** As many as a service accepts at once (V3-124). */
const maxEach = 20;
const maxScreensOfPlaylist = 200;

function AssignFields({ items, onClose }: Props): ReactNode {
  const serviceId = items[0]?.serviceId ?? "";
  const labels = useQuestion("listScreenLabels", { serviceId });
  const playlists = useQuestion("listServicePlaylists", { serviceId });
  const refetch = useRefetch();
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [playing, setPlaying] = useState<readonly string[]>([]);
  const [stopping, setStopping] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const isReady =
    added.length + removed.length + playing.length + stopping.length > 0;
  const canPlay = items.length <= maxScreensOfPlaylist;
  const known = new Map((labels.data ?? []).map(({ id, name }) => [name, id]));

  /** A label that the service does not have is created. */
  const idsOf = async (names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const name of names)
      ids.push(
        known.get(name) ??
          (await window.manager.makeScreenLabel({ serviceId, name })).id,
      );
    return ids;
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || isSaving) return;
    setIsSaving(true);
    setFailure(null);
    try {
      await window.manager.assignToScreens({
        serviceId,
        screenIds: items.map(({ screen }) => screen.id),
        addLabels: await idsOf(added),
        removeLabels: removed.flatMap((name) => known.get(name) ?? []),
        ...{ addPlaylists: [...playing], removePlaylists: [...stopping] },
      });
      notifySuccess(t("screens.assign.saved", { count: items.length }));
      onClose();
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setIsSaving(false);
      await refetch("readScreens", "listScreenLabels");
    }
  };
  const titles = (playlists.data ?? []).map(({ id, title }) => ({
    ...{ value: id, label: title === "" ? id : title },
  }));
  return (
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <TagsInput
        label={t("screens.assign.addLabels")}
        data={[...known.keys()].filter((name) => !removed.includes(name))}
        data-autofocus
        maxTags={maxEach}
        acceptValueOnBlur
        value={[...added]}
        onChange={setAdded}
      />
      <MultiSelect
        label={t("screens.assign.removeLabels")}
        data={labelsOf(items)
          .map(({ name }) => name)
          .filter((name) => known.has(name) && !added.includes(name))}
        maxValues={maxEach}
        value={[...removed]}
        onChange={setRemoved}
      />
      <MultiSelect
        label={t("screens.assign.addPlaylists")}
        {...(!canPlay && {
          description: t("screens.assign.tooMany", {
            count: maxScreensOfPlaylist,
          }),
        })}
        searchable
        disabled={!canPlay}
        data={titles.filter(({ value }) => !stopping.includes(value))}
        maxValues={maxEach}
        value={[...playing]}
        onChange={setPlaying}
      />
      <MultiSelect
        label={t("screens.assign.removePlaylists")}
        description={t("screens.assign.removePlaylistsHelp")}
        searchable
        data={titles.filter(({ value }) => !playing.includes(value))}
        maxValues={maxEach}
        value={[...stopping]}
        onChange={setStopping}
      />
      {failure === null ? null : (
        <Text role="alert" c="var(--fault)" dir="auto">
          {t("screens.assign.failed")} {failure}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("manager.cancel")}
        </Button>
        <Button type="submit" disabled={!isReady} loading={isSaving}>
          {t("screens.assign.submit")}
        </Button>
      </Group>
    </Stack>
  );
}
