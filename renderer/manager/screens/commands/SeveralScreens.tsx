// Several selected screens: how many are in which state, the commands for all of them, and their results.

import { Button, Flex, Group, Stack } from "@mantine/core";
import { IconTags } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { DetailsHead } from "../../components/layout/DetailsHead.tsx";
import { t } from "../../../locales/messages.ts";
import { useMayRequest } from "../../place/permissions.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { statesByUrgency } from "../../fleet/screen-states.ts";
import { StateBadge } from "../StateBadge.tsx";
import { ActionResults } from "./ActionResults.tsx";
import { AssignDialog } from "./AssignDialog.tsx";
import { CommandButtons } from "./CommandButtons.tsx";
import type { SentAction } from "./send-command.ts";

interface Props {
  readonly items: readonly ScreenItem[];
  readonly action: SentAction | null;
  readonly onAction: (action: SentAction | null) => void;
  readonly onClose: () => void;
}

export function SeveralScreens(props: Props): ReactNode {
  const { items, action, onAction, onClose } = props;
  return (
    <Stack className="details" gap={16} pt={4} px={20} pb={32}>
      <DetailsHead
        title={t("screens.selectedCount", { count: items.length })}
        onClose={onClose}
      />
      <Flex component="ul" wrap="wrap" gap="4px 16px">
        {statesByUrgency.map((state) => {
          const count = items.filter(
            ({ screen }) => screen.state === state,
          ).length;
          return count === 0 ? null : (
            <li key={state}>
              <StateBadge
                state={state}
                text={t(`screens.counts.${state}`, { count })}
              />
            </li>
          );
        })}
      </Flex>
      <CommandButtons items={items} onSent={onAction} />
      <Assignment items={items} />
      {action === null ? null : (
        <ActionResults
          action={action}
          onClose={() => {
            onAction(null);
          }}
        />
      )}
    </Stack>
  );
}

/** Labels have other identifiers in each service. */
function Assignment({
  items,
}: {
  readonly items: readonly ScreenItem[];
}): ReactNode {
  const mayRequest = useMayRequest();
  const [isOpen, setIsOpen] = useState(false);
  const manageable = items.filter(({ isManageable }) => isManageable);
  const services = new Set(manageable.map(({ serviceId }) => serviceId));
  const affected = manageable.map(({ screen }) => screen);
  if (!mayRequest("POST", "/screens/assignments", affected)) return null;
  if (services.size !== 1)
    return services.size === 0 ? null : (
      <p className="quiet">{t("screens.assign.severalServices")}</p>
    );
  return (
    <Group className="details-actions" gap={8}>
      <Button
        variant="default"
        leftSection={<IconTags size={18} aria-hidden />}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {t("screens.assign.open")}
      </Button>
      <AssignDialog
        items={manageable}
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false);
        }}
      />
    </Group>
  );
}
