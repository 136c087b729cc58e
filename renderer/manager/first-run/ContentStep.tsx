// First-run step: the first content, as files, an address, a content service or a backup; each with its own form.

import {
  Box,
  Button,
  Flex,
  Group,
  SimpleGrid,
  Stack,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { IconArchive, IconCloud, type Icon } from "@tabler/icons-react";
import { Question } from "./Question.tsx";
import { useState, type ReactNode } from "react";
import { useAssets } from "../api/api.ts";
import { ConnectForm } from "../connections/connect/ConnectForm.tsx";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { AddPageForm } from "../uploads/AddPageForm.tsx";
import { goTo } from "../place/navigation.ts";
import {
  RestorePanel,
  type Archive,
} from "../settings/backup/RestorePanel.tsx";
import { t } from "../../locales/messages.ts";

type Way = "files" | "connection" | "connected" | "restore";

export function ContentStep({
  onGo,
}: {
  /** Leads to another page: the first run is finished. */
  readonly onGo: () => void;
}): ReactNode {
  const [way, setWay] = useState<Way>("files");
  const [archive, setArchive] = useState<Archive | null>(null);
  const back = (
    <Button
      variant="subtle"
      color="gray"
      onClick={() => {
        setWay("files");
      }}
    >
      {t("firstRun.otherWays")}
    </Button>
  );
  if (way === "connection")
    return (
      <div>
        <Question>{t("firstRun.connect")}</Question>
        <ConnectForm
          onClose={() => {
            setWay("files");
          }}
          onConnected={() => {
            setWay("connected");
          }}
        />
      </div>
    );
  if (way === "connected")
    return (
      <div role="status">
        <Question>{t("firstRun.connected")}</Question>
        <p>{t("firstRun.connectedText")}</p>
        <Group wrap="nowrap" align="stretch" justify="flex-end" gap={8} mt={16}>
          {back}
          <Button
            autoFocus
            onClick={() => {
              goTo("connections");
              onGo();
            }}
          >
            {t("firstRun.reviewChanges")}
          </Button>
        </Group>
      </div>
    );
  if (way === "restore")
    return (
      <Box mt={16}>
        <RestorePanel archive={archive} onChoose={setArchive} />
        <HowMany />
        {back}
      </Box>
    );
  return (
    <div>
      <Question>{t("firstRun.addContent")}</Question>
      <Stack
        gap={12}
        align="center"
        p={24}
        bd="2px dashed var(--edge)"
        bdrs={12}
        ta="center"
      >
        <p>{t("firstRun.drop")}</p>
        <Group align="stretch" justify="center" gap={12}>
          <AddFilesButton />
          <AddPageForm />
        </Group>
        <HowMany />
      </Stack>
      <SimpleGrid cols={2} spacing={12} mt={12}>
        <Other
          sign={IconCloud}
          name={t("firstRun.connect")}
          description={t("firstRun.connectDescription")}
          onChoose={() => {
            setWay("connection");
          }}
        />
        <Other
          sign={IconArchive}
          name={t("firstRun.restore")}
          description={t("firstRun.restoreDescription")}
          onChoose={() => {
            setWay("restore");
          }}
        />
      </SimpleGrid>
    </div>
  );
}

function HowMany(): ReactNode {
  const count = useAssets().data?.length ?? 0;
  return (
    <Text role="status" mih={20} c="dimmed">
      {count > 0 ? t("firstRun.assetCount", { count }) : null}
    </Text>
  );
}

interface OtherProps {
  readonly sign: Icon;
  readonly name: string;
  readonly description: string;
  readonly onChoose: () => void;
}

function Other({
  sign: Sign,
  name,
  description,
  onChoose,
}: OtherProps): ReactNode {
  return (
    <UnstyledButton
      variant="row"
      py={12}
      px={16}
      bd="1px solid var(--line)"
      bdrs={12}
      onClick={onChoose}
    >
      <Sign size={24} stroke={1.5} color="var(--quiet)" aria-hidden />
      <Flex component="span" direction="column">
        <strong>{name}</strong>
        <span className="quiet">{description}</span>
      </Flex>
    </UnstyledButton>
  );
}
