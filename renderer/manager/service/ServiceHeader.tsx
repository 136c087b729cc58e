// Header of every page at a content service: its address, and the menu of the person who is signed in.

import { Button, Flex, Menu, Text } from "@mantine/core";
import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { goTo } from "../place/navigation.ts";
import { leave } from "../session/leave.ts";
import { usePerson } from "../service-requests/person.ts";
import { requestService } from "../service-requests/service-requests.ts";

export function ServiceHeader(): ReactNode {
  const { name, email } = usePerson();
  const shown = name === "" ? email : name;
  return (
    <Flex
      component="header"
      align="center"
      justify="space-between"
      gap={12}
      miw={0}
      px="var(--side)"
      bg="var(--rail)"
      style={{ gridArea: "head", borderBlockEnd: "1px solid var(--line)" }}
    >
      <Text truncate c="dimmed" miw={0}>
        <bdi>{location.host}</bdi>
      </Text>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            variant="default"
            flex="0 1 auto"
            miw={44}
            leftSection={<IconUserCircle size={18} aria-hidden />}
            aria-label={t("service.menu", { name: shown })}
          >
            <Text component="span" truncate maw={200}>
              <bdi>{shown}</bdi>
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconUserCircle size={18} aria-hidden />}
            onClick={() => {
              goTo("account");
            }}
          >
            {t("account.title")}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={18} aria-hidden />}
            onClick={() => {
              leave(() => requestService("DELETE", "/sign-in/")).catch(
                notifyInternalError,
              );
            }}
          >
            {t("session.signOut")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Flex>
  );
}
