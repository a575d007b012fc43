//! Files are compressed ahead of time; a browser says which form it takes.

/// In which form a file is sent: the smallest that the browser takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    pub(super) const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Identity];

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Identity => "",
        }
    }

    pub(super) fn token(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// Whether `Accept-Encoding` takes it; `;q=0` refuses. Identity is our last resort in any case.
    pub(super) fn is_accepted(self, header: &str) -> bool {
        let Some(token) = self.token() else { return true };
        let weight = |wanted: &str| {
            header.split(',').find_map(|part| {
                let mut pieces = part.split(';').map(str::trim);
                pieces.next().filter(|name| name.eq_ignore_ascii_case(wanted))?;
                let quality = pieces.find_map(|piece| piece.strip_prefix(['q', 'Q'])?.strip_prefix('=')).unwrap_or("1");
                Some(quality.parse::<f32>().is_ok_and(|quality| 0.0 < quality))
            })
        };
        weight(token).or_else(|| weight("*")).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_used_only_if_it_is_accepted() {
        for (header, brotli, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("gzip;q=0.5", false, true),
            ("br;q=0, gzip", false, true),
            ("br;q=0.0, gzip;q=0", false, false),
            ("BR;Q=0, gzip", false, true),
            ("*", true, true),
            ("*;q=0", false, false),
            ("gzip, *;q=0", false, true),
            ("", false, false),
        ] {
            assert_eq!(Encoding::Brotli.is_accepted(header), brotli, "br in {header:?}");
            assert_eq!(Encoding::Gzip.is_accepted(header), gzip, "gzip in {header:?}");
        }
    }
}
