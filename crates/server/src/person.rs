//! The person at this computer, to whom the desktop's own parts belong: they
//! act in their name without signing in.

use crate::Result;
use crate::api::Changes;
use crate::app::App;
use crate::sign_in::SignedIn;
use ozbrain_core::use_cases::{Call, ChangeRow};
use ozbrain_core::words::EventId;
use std::sync::Arc;
use tokio::sync::{OnceCell, watch};

/// A session of the person at the desktop: one for each window, and one for
/// what runs without a window.
pub struct Person {
    app: Arc<App>,
    tab: OnceCell<Arc<SignedIn>>,
    ending: watch::Sender<()>,
}

impl Person {
    /// A new session; it begins at its first call.
    pub fn new(app: Arc<App>) -> Self {
        Self {
            app,
            tab: OnceCell::new(),
            ending: watch::Sender::new(()),
        }
    }

    pub(crate) fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The session, begun if it was not.
    pub(crate) async fn tab(&self) -> Result<Arc<SignedIn>> {
        let begin = async || Ok(Arc::new(SignedIn::desktop(&self.app).await?));
        self.tab.get_or_try_init(begin).await.cloned()
    }

    /// Runs a use case that only reads.
    ///
    /// # Errors
    /// Those of the use case, or why the store cannot serve.
    pub async fn read<T: Send + 'static>(
        &self,
        use_case: impl FnOnce(Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let tab = self.tab().await?;
        self.app.read(&tab.session, use_case).await
    }

    /// Runs a use case that may write.
    ///
    /// # Errors
    /// Those of the use case, or why the store cannot serve.
    pub async fn write<T: Send + 'static>(
        &self,
        use_case: impl FnOnce(Call<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let tab = self.tab().await?;
        self.app.write(&tab.session, use_case).await
    }

    /// Follows what happens: first what came after an event, from now on
    /// unless told, then what comes, until this session is dropped.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub async fn follow(&self, after: Option<EventId>) -> Result<Following> {
        let tab = self.tab().await?;
        let ending = self.ending.subscribe();
        let changes = Changes::new(Arc::clone(&self.app), tab, ending, after);
        Ok(Following(changes.await?))
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.ending.send_replace(());
    }
}

/// What happens, for whoever follows it.
pub struct Following(Changes);

impl Following {
    /// The next change; `None` once the session that follows is dropped.
    pub async fn next(&mut self) -> Option<ChangeRow> {
        self.0.next().await
    }
}
