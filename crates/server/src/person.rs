//! The person at this computer, to whom the desktop's own parts belong: they
//! act in their name without signing in.

use crate::Result;
use crate::app::App;
use crate::sign_in::SignedIn;
use ozbrain_core::use_cases::Call;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// A session of the person at the desktop: one for each window, and one for
/// what runs without a window.
pub struct Person {
    app: Arc<App>,
    tab: OnceCell<Arc<SignedIn>>,
}

impl Person {
    /// A new session; it begins at its first call.
    pub fn new(app: Arc<App>) -> Self {
        Self {
            app,
            tab: OnceCell::new(),
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
}
