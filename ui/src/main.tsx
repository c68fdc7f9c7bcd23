import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { dropsWhatIsGone } from "./app/erasure";
import { fetchScreens, router } from "./app/router";
import { startSession } from "./app/session";
import { platform } from "./platform";
import { keepFocus } from "./shared/focus";
import "./shared/tokens.css";
import "./shared/base.css";

const PASSING = new Set(["gone", "busy", "unavailable"]);

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Changes are pushed, so what was read stays true until one comes.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      networkMode: "always",
      retry: (times, error) => error instanceof ApiError && PASSING.has(error.code) && times < 2,
      retryDelay: (times) => 250 * 2 ** times,
    },
    mutations: { networkMode: "always" },
  },
});

dropsWhatIsGone(client.getQueryCache());
keepFocus(document);

const root = document.getElementById("root");
void platform.ready().then(() => {
  // The token leaves the address before anything else reads it.
  startSession();
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  setTimeout(fetchScreens, 1_000);
});
