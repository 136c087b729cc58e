// Review of the changes from a content service before they are applied: counted, listed, and applied, postponed or left pending.

import { Box, Button, Flex, Group, Text } from "@mantine/core";
import {
  IconCheck,
  IconMinus,
  IconPencil,
  IconPlus,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { SyncPlanV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../api/operations.ts";
import { Refusal } from "../../api/refusal.ts";
import { ShowMore } from "../ShowMore.tsx";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { formats } from "../../../locales/language.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import { approve } from "./apply-plan.ts";
import { useRefetchSync } from "../state/use-sync.ts";

interface Props {
  readonly plan: SyncPlanV2;
  readonly name: string;
}

const signs = { add: IconPlus, change: IconPencil, remove: IconMinus } as const;
const firstShown = 50;

export function PlanReview({ plan, name }: Props): ReactNode {
  const { account_id: id, adds, changes, removes, bytes, hold } = plan;
  const [shown, setShown] = useState(firstShown);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isUnderWay, setIsUnderWay] = useState(false);
  const refetch = useRefetchSync();
  const applied =
    removes > 0
      ? t("connections.review.applyRemoving", { count: removes })
      : t("connections.review.apply");

  const apply = async (): Promise<void> => {
    setIsUnderWay(true);
    try {
      const { isApplied, takeBack } = await approve(plan);
      const message = isApplied
        ? t("connections.review.applied", { name })
        : t("connections.review.approved", { name });
      if (takeBack === null) notifySuccess(message);
      else
        notifyUndoable(message, () =>
          takeBack().finally(() => {
            refetch().catch(notifyInternalError);
          }),
        );
    } catch (error) {
      const isOther = error instanceof Refusal && error.code === "conflict";
      notifyFailure(
        t("connections.review.applyFailed"),
        isOther ? t("connections.review.superseded") : error,
      );
    } finally {
      setIsUnderWay(false);
      setIsConfirming(false);
      await refetch();
    }
  };
  const putOff = async (): Promise<void> => {
    try {
      await operate("holdSync", { body: { account_id: id } });
      notifySuccess(t("connections.review.postponed", { name }));
    } catch (error) {
      notifyFailure(t("connections.review.postponeFailed"), error);
    } finally {
      await refetch();
    }
  };

  return (
    <Box
      className="plan"
      component="section"
      pt={16}
      style={{ borderBlockStart: "1px solid var(--line)" }}
      aria-label={t("connections.review.title")}
    >
      <Group align="flex-start" justify="space-between" gap="8px 16px" mb={8}>
        <Box flex="1 1 280px" miw={0}>
          <Text component="h3" fw={600}>
            {t("connections.review.title")}
          </Text>
          <p>
            {countsText(adds, changes, removes)}
            <span className="quiet">
              {" · "}
              {bytes === 0
                ? t("connections.review.downloaded")
                : t("connections.review.toDownload", {
                    size: formats.size(bytes),
                  })}
            </span>
          </p>
          {hold === null ? null : (
            <p data-tone="waiting">
              {messageFor("connections.review.holds", hold)}
            </p>
          )}
        </Box>
        {isConfirming ? null : (
          <Group align="stretch" gap={8}>
            {hold === "postponed" ? null : (
              <Button
                variant="default"
                onClick={() => {
                  putOff().catch(notifyInternalError);
                }}
              >
                {t("connections.review.postpone")}
              </Button>
            )}
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              aria-label={t("connections.review.applyNamed", {
                action: applied,
                name,
              })}
              loading={isUnderWay}
              onClick={() => {
                if (removes > 0) setIsConfirming(true);
                else apply().catch(notifyInternalError);
              }}
            >
              {applied}
            </Button>
          </Group>
        )}
      </Group>
      {isConfirming ? (
        <NamedQuestion
          question={t("connections.review.question", { name, count: removes })}
          consequence={t("connections.review.consequence")}
          no={t("connections.cancel")}
          yes={t("connections.review.applyRemoving", { count: removes })}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={apply}
        />
      ) : null}
      <Box component="ul" className="scrolls" mah={420} mt={8}>
        {plan.entries.slice(0, shown).map((entry) => {
          const Sign = signs[entry.action];
          const tone = entry.action === "remove" ? "waiting" : undefined;
          return (
            <Flex
              key={`${entry.kind} ${entry.remote_id}`}
              component="li"
              className="line-above"
              wrap={{ base: "wrap", xs: "nowrap" }}
              align="center"
              gap={8}
              py={6}
            >
              <Sign size={16} aria-hidden data-tone={tone} />
              <Text component="span" flex="none" w={88} data-tone={tone}>
                {t(`connections.review.actions.${entry.action}`)}
              </Text>
              <Text component="span" flex="1 1 160px" miw={0}>
                <bdi>{entry.name}</bdi>
              </Text>
              <Text component="span" flex="none" w={80} c="dimmed">
                {t(`connections.review.kinds.${entry.kind}`)}
              </Text>
              <Text
                component="span"
                className="figures"
                flex="none"
                w={88}
                c="dimmed"
                ta="end"
              >
                {entry.bytes === null ? "" : formats.size(entry.bytes)}
              </Text>
            </Flex>
          );
        })}
      </Box>
      <ShowMore shown={shown} all={plan.entries.length} onShown={setShown} />
    </Box>
  );
}

function countsText(adds: number, changes: number, removes: number): string {
  const counts = [
    adds > 0 ? t("connections.review.added", { count: adds }) : "",
    changes > 0 ? t("connections.review.changed", { count: changes }) : "",
    removes > 0 ? t("connections.review.removed", { count: removes }) : "",
  ].filter((text) => text !== "");
  return counts.length === 0
    ? t("connections.review.noChanges")
    : counts.join(", ");
}
