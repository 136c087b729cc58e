// Gives the selected screens labels or playlists, or takes them away; all screens are of one content service.

import { Modal, MultiSelect, Stack, TagsInput, Text } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { DialogButtons } from "../../components/controls/DialogButtons.tsx";
import {
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import { labelsOf, type ScreenItem } from "../../fleet/find-screens.ts";
import { ChangeQuestion } from "../../fleet/ChangeQuestion.tsx";
import {
  fleetConsequenceOf,
  type Consequence,
} from "../../fleet/what-if-text.ts";
import { bridge } from "../../transport/bridge.ts";

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

type Assignment = ManagerInput<"previewAssignment">;

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
  /** Waits for an answer; null: nothing to ask about. */
  const [unconfirmed, setUnconfirmed] = useState<{
    readonly assignment: Assignment;
    readonly consequence: Consequence;
  } | null>(null);
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
          (await bridge().makeScreenLabel({ serviceId, name })).id,
      );
    return ids;
  };
  const save = async (
    assignment: Assignment,
    isAppliedAnyway = false,
  ): Promise<void> => {
    try {
      await bridge().assignToScreens({ ...assignment, isAppliedAnyway });
      notifySuccess(t("screens.assign.saved", { count: items.length }));
      onClose();
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setUnconfirmed(null);
      await refetch("readScreens", "listScreenLabels");
    }
  };
  /** Asks first if screens then show something else. */
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || isSaving || unconfirmed !== null) return;
    setIsSaving(true);
    setFailure(null);
    try {
      const assignment = {
        serviceId,
        screenIds: items.map(({ screen }) => screen.id),
        addLabels: await idsOf(added),
        removeLabels: removed.flatMap((name) => known.get(name) ?? []),
        ...{ addPlaylists: [...playing], removePlaylists: [...stopping] },
      };
      const preview = await bridge().previewAssignment(assignment);
      const consequence = preview && fleetConsequenceOf(preview);
      if (consequence) setUnconfirmed({ assignment, consequence });
      else await save(assignment);
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setIsSaving(false);
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
        disabled={unconfirmed !== null}
        onChange={setAdded}
      />
      <MultiSelect
        label={t("screens.assign.removeLabels")}
        data={labelsOf(items)
          .map(({ name }) => name)
          .filter((name) => known.has(name) && !added.includes(name))}
        maxValues={maxEach}
        value={[...removed]}
        disabled={unconfirmed !== null}
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
        data={titles.filter(({ value }) => !stopping.includes(value))}
        maxValues={maxEach}
        value={[...playing]}
        disabled={!canPlay || unconfirmed !== null}
        onChange={setPlaying}
      />
      <MultiSelect
        label={t("screens.assign.removePlaylists")}
        description={t("screens.assign.removePlaylistsHelp")}
        searchable
        data={titles.filter(({ value }) => !playing.includes(value))}
        maxValues={maxEach}
        value={[...stopping]}
        disabled={unconfirmed !== null}
        onChange={setStopping}
      />
      {failure === null ? null : (
        <Text role="alert" c="var(--fault)" dir="auto">
          {t("screens.assign.failed")} {failure}
        </Text>
      )}
      {unconfirmed === null ? (
        <DialogButtons
          submitText={t("screens.assign.submit")}
          isReady={isReady}
          isUnderWay={isSaving}
          onCancel={onClose}
        />
      ) : (
        <ChangeQuestion
          question={t("whatIf.assignQuestion", { count: items.length })}
          consequence={unconfirmed.consequence}
          apply={t("whatIf.assign")}
          onCancel={() => {
            setUnconfirmed(null);
          }}
          onApply={() =>
            save(unconfirmed.assignment, unconfirmed.consequence.isHeldBack)
          }
        />
      )}
    </Stack>
  );
}
