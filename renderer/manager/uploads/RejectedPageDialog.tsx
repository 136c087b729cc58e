// Asks how to add a web page that is unreachable: with request headers, or without the availability check.

import { Button, Flex, Group, Modal, Text, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../api/reason.ts";
import { readHeaderLines } from "../assets/headers-text.ts";
import { t } from "../../locales/messages.ts";
import {
  useRejectedPage,
  type PageOptions,
  type RejectedPage,
} from "./rejected-page.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export function RejectedPageDialog(): ReactNode {
  const page = useRejectedPage();
  // The last page stays while the dialog closes, so that the focus returns to where it came from.
  const [last, setLast] = useState(page);
  if (page && page !== last) setLast(page);
  return (
    <Modal
      opened={page !== null}
      onClose={() => page?.cancel()}
      centered
      title={t("uploads.unreachableTitle")}
      closeButtonProps={{ "aria-label": t("manager.close"), size: 36 }}
      // Typed text is only discarded by a button, never by accident.
      closeOnClickOutside={false}
      transitionProps={{ duration: 100 }}
    >
      {last ? <Question key={last.address} page={last} /> : null}
    </Modal>
  );
}

function Question({ page }: { readonly page: RejectedPage }): ReactNode {
  const [lines, setLines] = useState("");
  const [reason, setReason] = useState(page.reason);
  const [underWay, setUnderWay] = useState<"checked" | "unchecked" | null>(
    null,
  );
  const headers = readHeaderLines(lines);
  const add = async (skipCheck: boolean): Promise<void> => {
    if (headers === null) return;
    const options: PageOptions = { headers, skipCheck };
    setUnderWay(skipCheck ? "unchecked" : "checked");
    try {
      await page.add(options);
    } catch (error) {
      setReason(reasonOf(error));
    } finally {
      setUnderWay(null);
    }
  };
  return (
    <Flex
      direction="column"
      gap={12}
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        add(false).catch(notifyInternalError);
      }}
    >
      <Text fw={600} dir="ltr">
        {page.address}
      </Text>
      <p role="alert" dir="auto">
        {reason}
      </p>
      <Textarea
        label={t("inspector.headers")}
        description={t("uploads.headersHelp")}
        placeholder="Authorization: Bearer …"
        data-autofocus
        autosize
        minRows={2}
        maxRows={8}
        dir="ltr"
        spellCheck={false}
        value={lines}
        error={headers === null ? t("inspector.headersWrong") : null}
        onChange={(event) => {
          setLines(event.currentTarget.value);
        }}
      />
      <p className="quiet">{t("uploads.addAnywayHelp")}</p>
      <Group align="stretch" justify="flex-end" gap={8}>
        <Button
          variant="default"
          disabled={underWay !== null}
          onClick={page.cancel}
        >
          {t("manager.cancel")}
        </Button>
        <Button
          variant="default"
          loading={underWay === "unchecked"}
          disabled={headers === null || underWay === "checked"}
          onClick={() => {
            add(true).catch(notifyInternalError);
          }}
        >
          {t("uploads.addAnyway")}
        </Button>
        <Button
          type="submit"
          loading={underWay === "checked"}
          disabled={headers === null || underWay === "unchecked"}
        >
          {t("manager.tryAgain")}
        </Button>
      </Group>
    </Flex>
  );
}
