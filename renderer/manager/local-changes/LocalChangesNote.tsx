// Note at an asset or playlist of a content service: what was changed locally and is not synced, and how to discard it (V2-560,
// V2-561).

import { Button, Group, Text } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";
import type { LocalChangesV2 } from "../../../server/contract/v2/v2-sync.ts";
import { useFocusAfter } from "../components/focus/focus-after.ts";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import {
  canBeSetAgain,
  namesOf,
  useRefetchChanges,
  useLocalChanges,
} from "./use-local-changes.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly kind: LocalChangesV2["kind"];
  readonly id: string;
  readonly name: string;
  /** The connection it came from; null where it came from none, or while that is not known. */
  readonly service: string | null;
  /** A page or stream, which has no file. */
  readonly isAddress?: boolean;
  /** Where the focus moves once nothing is left to discard. */
  readonly focusAfter: string;
  readonly discardChanges: (
    changes: LocalChangesV2,
    service: string,
  ) => Promise<unknown>;
}

export function LocalChangesNote(props: Props): ReactNode {
  const { kind, id, service, focusAfter } = props;
  const changes = useLocalChanges(kind, id);
  const isShown = changes !== null && service !== null;
  const focus = useFocusAfter(isShown, focusAfter);
  if (!isShown) return null;
  return (
    <Group
      className="local-changes"
      gap="8px 16px"
      py={8}
      px={12}
      bdrs={4}
      bg="var(--chosen)"
      fz={13}
      lh="18px"
      style={{ borderInlineStart: "3px solid var(--accent)" }}
      role="group"
      aria-label={t("localChanges.title")}
      {...focus}
    >
      <Changes key={id} {...props} changes={changes} service={service} />
    </Group>
  );
}

interface ShownProps extends Props {
  readonly changes: LocalChangesV2;
  readonly service: string;
}

function Changes(props: ShownProps): ReactNode {
  const { name, service, changes, isAddress = false } = props;
  const { fields } = changes;
  const canBeUndone = canBeSetAgain(changes);
  const { isConfirming, setIsConfirming, press, go } = useDiscard(
    canBeUndone,
    () => props.discardChanges(changes, service),
  );
  return (
    <>
      <Text flex="1 1 280px" miw={0}>
        <strong>
          {t("localChanges.changedHere", {
            fields: formats.list(namesOf(fields, isAddress)),
          })}
        </strong>{" "}
        {t("localChanges.notSynced", { count: fields.length, service })}
      </Text>
      {isConfirming ? (
        <NamedQuestion
          question={t("localChanges.discardQuestion", { name })}
          consequence={
            isAddress
              ? t("localChanges.discardConsequence.address")
              : t("localChanges.discardConsequence.file")
          }
          no={t("manager.cancel")}
          yes={t("localChanges.discard")}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={go}
        />
      ) : (
        <Button
          size="compact-sm"
          h={32}
          variant="default"
          aria-label={t("localChanges.discardNamed", { name })}
          onClick={press}
        >
          {t("localChanges.discard")}
        </Button>
      )}
    </>
  );
}

/** Immediately where it can be undone, otherwise after a confirmation. */
export function useDiscard(
  canBeUndone: boolean,
  discardChanges: () => Promise<unknown>,
) {
  const [isConfirming, setIsConfirming] = useState(false);
  const isUnderWay = useRef(false);
  const refetch = useRefetchChanges();
  const go = async (): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      await discardChanges();
      await refetch();
    } finally {
      isUnderWay.current = false;
      setIsConfirming(false);
    }
  };
  return {
    ...{ isConfirming, setIsConfirming, go },
    press: () => {
      if (canBeUndone) go().catch(notifyInternalError);
      else setIsConfirming(true);
    },
  };
}
