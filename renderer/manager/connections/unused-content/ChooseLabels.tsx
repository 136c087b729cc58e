// Chooses labels that have playlists, so that this screen receives those.

import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useFocusBack } from "../../components/focus/focus-back.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly labels: readonly string[];
  readonly onChosen: (labels: readonly string[]) => Promise<unknown>;
  readonly onClose: () => void;
}

export function ChooseLabels({ labels, onChosen, onClose }: Props): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isSaving, setIsSaving] = useState(false);
  const form = useFocusBack<HTMLFormElement>();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        setIsSaving(true);
        onChosen(chosen)
          .finally(() => {
            setIsSaving(false);
          })
          .catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Stack gap={12}>
        <Checkbox.Group
          label={t("connections.unused.labels.title")}
          description={t("connections.unused.labels.description")}
          value={[...chosen]}
          onChange={setChosen}
        >
          <Stack className="scrolls" gap={4} mah={240} p={4}>
            {labels.map((name, place) => (
              <Checkbox
                key={name}
                value={name}
                label={<bdi>{name}</bdi>}
                autoFocus={place === 0}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group gap={8} justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("connections.cancel")}
          </Button>
          <Button
            type="submit"
            loading={isSaving}
            disabled={chosen.length === 0}
          >
            {t("connections.unused.labels.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
