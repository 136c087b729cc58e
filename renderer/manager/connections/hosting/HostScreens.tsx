// Screens of the hosted service: adds one by the PIN it shows, and leads to the page that lists them.

import { Box, Button, Text } from "@mantine/core";
import { IconDevices } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { hostedServiceId } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { addressOf } from "../../place/navigation.ts";
import { PairForm } from "../../pairing/PairForm.tsx";
import { useScreens } from "../../fleet/use-screens.ts";

const hosted = [{ id: hostedServiceId, name: null }];

export function HostScreens(): ReactNode {
  const { all } = useScreens();
  const count = all.filter(
    ({ serviceId }) => serviceId === hostedServiceId,
  ).length;
  return (
    <Box
      component="section"
      className="line-above"
      p={16}
      aria-label={t("hosting.screens.title")}
    >
      <Text component="h4" fw={600}>
        {t("hosting.screens.title")}
      </Text>
      <p className="quiet">{t("hosting.screens.description")}</p>
      <PairForm services={hosted} count={count} />
      <Button
        component="a"
        variant="default"
        href={addressOf("screens")}
        leftSection={<IconDevices size={18} aria-hidden />}
      >
        {t("hosting.screens.open", { count })}
      </Button>
    </Box>
  );
}
