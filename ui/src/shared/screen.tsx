import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { texts } from "../texts";
import { Icon } from "./icons";
import { Key } from "./keyboard";

/** The screen: one landmark with the place's name. */
export function Screen({ name, className, children }: { name: string; className?: string | undefined; children: ReactNode }) {
  return (
    <main id="main" className={className ? `main ${className}` : "main"} aria-label={name} tabIndex={-1}>
      {children}
    </main>
  );
}

/** The search field of a bar. Enter goes to Brains with what was typed. */
export function SearchField({ className = "field wide" }: { className?: string }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const hint = useId();
  return (
    <label className={className}>
      <Icon name="search" />
      <input
        data-search
        type="search"
        value={query}
        placeholder={texts.app.searchUnits}
        aria-label={texts.app.searchUnits}
        aria-describedby={query === "" ? undefined : hint}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && query.trim() !== "") void navigate({ to: "/brains", search: { query: query.trim() } });
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {query === "" ? (
        <Key of="/" />
      ) : (
        <span id={hint} className="field-hint">
          <Key of="Enter" /> {texts.app.searchesIn}
        </span>
      )}
    </label>
  );
}
