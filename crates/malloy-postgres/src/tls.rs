//! Encrypted connections.

use std::{path::Path, sync::Arc};

use malloy_engine::Error;
use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject as _},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::Tls;

/// What makes a connection into an encrypted one, if the server and the settings want that.
pub(crate) fn connector(tls: Tls, certificates: Option<&Path>) -> Result<MakeRustlsConnect, Error> {
    let provider = Arc::new(ring::default_provider());
    let open = |message: String| Error::Open { message };
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| open(error.to_string()))?;
    let config = if tls == Tls::Verified {
        config.with_root_certificates(roots(certificates)?)
    } else {
        config.dangerous().with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

fn roots(certificates: Option<&Path>) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    let found = match certificates {
        Some(file) => {
            let unread = |error: rustls::pki_types::pem::Error| Error::Open {
                message: format!("cannot read the certificates of {}: {error}", file.display()),
            };
            let pems = CertificateDer::pem_file_iter(file).map_err(unread)?;
            pems.collect::<Result<Vec<_>, _>>().map_err(unread)?
        }
        None => rustls_native_certs::load_native_certs().certs,
    };
    roots.add_parsable_certificates(found);
    if roots.is_empty() {
        return Err(Error::Open {
            message: "there are no certificates to check the server's with".to_owned(),
        });
    }
    Ok(roots)
}

/// Takes every server for what it says it is: nobody can listen, but somebody could stand in between. That is what
/// `sslmode=prefer` means to every client of PostgreSQL.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
