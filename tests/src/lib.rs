//! Helpers shared by the journeys.
