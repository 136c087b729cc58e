// An adopted player: what its interface tells, and the address and login with which the service reaches it.

import { Button, Group, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import type { AdoptedV3 } from "../../../../server/contract/v3/v3-adopted.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useRefusal } from "../../components/outcomes/use-attempt.ts";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import { useRefetch } from "../../api/manager-queries.ts";
import { Fact, FactList } from "../details/ScreenFacts.tsx";
import { useMayRequest } from "../../place/permissions.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { LoginFields } from "./LoginFields.tsx";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly item: ScreenItem;
  readonly adopted: AdoptedV3;
}

export function AdoptedPlayer({ item, adopted }: Props): ReactNode {
  const { facts, kept_assets: kept } = adopted;
  const mayRequest = useMayRequest();
  const none = (
    <span className="quiet">{t("screens.adopted.notReported")}</span>
  );
  const { display_power: power, load_average: load } = facts;
  return (
    <DetailsSection title={t("screens.adopted.title")}>
      <FactList>
        <Fact name={t("screens.facts.version")}>{facts.version ?? none}</Fact>
        <Fact name={t("screens.adopted.model")}>{facts.model ?? none}</Fact>
        <Fact name={t("screens.adopted.uptime")}>
          {facts.uptime_seconds === null
            ? none
            : formats.length(facts.uptime_seconds)}
        </Fact>
        <Fact name={t("screens.adopted.freeSpace")}>
          {facts.free_space ?? none}
        </Fact>
        <Fact name={t("screens.adopted.load")}>
          {load === null ? none : t("screens.adopted.loadAverage", { load })}
        </Fact>
        <Fact name={t("screens.facts.display")}>
          {power === null ? none : t(`screens.adopted.power.${power}`)}
        </Fact>
        <Fact name={t("screens.adopted.kept")}>
          {kept === null
            ? none
            : t("screens.adopted.keptCount", { count: kept })}
        </Fact>
      </FactList>
      {item.isManageable &&
      mayRequest("PATCH", "/screens/adopted/:id", [item.screen]) ? (
        <Access item={item} adopted={adopted} />
      ) : null}
    </DetailsSection>
  );
}

function Access({ item, adopted }: Props): ReactNode {
  const [typed, setTyped] = useState<{
    readonly address: string;
    readonly username: string;
    readonly password: string;
  } | null>(null);
  const { serviceId, screen } = item;
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) =>
      `${t("screens.changeFailed", { name: screen.name })} ${reasonOf(error)}`,
  );
  const refetch = useRefetch();
  if (typed === null)
    return (
      <Group className="details-actions" gap={8}>
        <Button
          size="compact-sm"
          h={36}
          variant="default"
          onClick={() => {
            setTyped({
              ...{ address: adopted.address, password: "" },
              username: adopted.username ?? "",
            });
          }}
        >
          {t("screens.adopted.change")}
        </Button>
      </Group>
    );
  const save = async (): Promise<void> => {
    const { password, ...change } = typed;
    await bridge().changeAdoptedPlayer({
      ...{ serviceId, screenId: screen.id, ...change },
      // Left empty, it stays.
      ...(password !== "" && { password }),
    });
    notifySuccess(t("screens.adopted.changed", { name: screen.name }));
    setTyped(null);
    await refetch("readScreens");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(save);
      }}
    >
      <Group align="flex-start" gap={8}>
        <TextInput
          flex="1 1 100%"
          label={t("screens.adopted.address")}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={typed.address}
          {...atField}
          onChange={(event) => {
            setTyped({ ...typed, address: event.currentTarget.value });
            forget();
          }}
        />
        <LoginFields
          {...typed}
          onChange={(login) => {
            setTyped({ ...typed, ...login });
            forget();
          }}
        />
      </Group>
      <Group gap={8} pt={12}>
        <Button type="submit" size="compact-sm" h={36} loading={isUnderWay}>
          {t("screens.adopted.save")}
        </Button>
        <Button
          size="compact-sm"
          h={36}
          variant="default"
          onClick={() => {
            setTyped(null);
            forget();
          }}
        >
          {t("manager.cancel")}
        </Button>
      </Group>
    </form>
  );
}
