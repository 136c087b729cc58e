// Adds a screen: by the PIN that a new player shows, or an Anthias player by its address.

import { Button, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { PairForm } from "../../pairing/PairForm.tsx";
import { AdoptForm } from "./AdoptForm.tsx";

interface Props {
  readonly services: readonly ScreenServiceView[];
  readonly count: number;
  readonly isFocused?: boolean;
  /** Above the form; its other way has a sentence of its own. */
  readonly hasDescription?: boolean;
  readonly onAdded?: () => void;
}

export function AddScreenForms(props: Props): ReactNode {
  const { hasDescription = false, ...form } = props;
  const [isAdopting, setIsAdopting] = useState(false);
  return (
    <>
      {isAdopting ? (
        <Text c="dimmed">{t("screens.adopted.description")}</Text>
      ) : hasDescription ? (
        <Text c="dimmed">{t("screens.pair.description")}</Text>
      ) : null}
      {isAdopting ? <AdoptForm {...form} isFocused /> : <PairForm {...form} />}
      <Button
        variant="subtle"
        size="compact-sm"
        h={36}
        onClick={() => {
          setIsAdopting(!isAdopting);
        }}
      >
        {isAdopting ? t("screens.adopted.byPin") : t("screens.adopted.add")}
      </Button>
    </>
  );
}
