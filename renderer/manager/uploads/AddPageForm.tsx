// Form for the address of a web page; pasting it anywhere in the manager does the same.

import { Button, Flex, TextInput } from "@mantine/core";
import { IconWorld } from "@tabler/icons-react";
import {
  memo,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { addPage } from "./uploads.ts";
import { t } from "../../locales/messages.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export const AddPageForm = memo(function AddPageForm(): ReactNode {
  const [address, setAddress] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (address.trim() === "" || isAdding) return;
    setIsAdding(true);
    const asset = await addPage(address);
    setIsAdding(false);
    if (asset) setAddress("");
    // The disabled button has lost the focus meanwhile.
    field.current?.focus();
  };

  return (
    <Flex
      className="add-page"
      gap={8}
      w={{ base: "100%", xs: "auto" }}
      component="form"
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <TextInput
        ref={field}
        flex={{ base: "1 1 100px", xs: "none" }}
        w={{ base: 100, xs: 230 }}
        miw={0}
        leftSection={<IconWorld size={18} stroke={1.75} aria-hidden />}
        aria-label={t("uploads.pageAddress")}
        placeholder={t("uploads.pageHint")}
        inputMode="url"
        dir={address === "" ? undefined : "ltr"}
        spellCheck={false}
        value={address}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        variant="default"
        loading={isAdding}
        aria-label={t("uploads.addPage")}
      >
        {t("uploads.add")}
      </Button>
    </Flex>
  );
});
