"""Mail errors as sentences for people, and a check of the mail server."""

import smtplib
import socket
from contextlib import suppress
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core import mail
from django.core.mail.backends.smtp import EmailBackend
from django.utils.translation import gettext as _

REASON_CHARACTERS = 300


class SMTPBackend(EmailBackend):
    """Django's backend leaves the connection open if the server refuses the sign-in; this one closes it."""

    def open(self) -> bool | None:
        try:
            return super().open()
        except OSError:
            with suppress(OSError):
                self.close()
            raise


class MailError(Exception):
    """A mail that was not sent, as a sentence for a person."""


def to_mail_error(error: OSError) -> MailError:
    """Return the server's answer, or why there was none. All failures of a mail server are OSErrors."""
    return MailError(_("The mail was not sent. %(reason)s") % {"reason": describe_error(error)})


def make_disabled_error() -> MailError:
    return MailError(_("The mail was not sent. %(reason)s") % {"reason": _("This server sends no mail.")})


def describe_error(error: OSError) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return quote_server(f"{code} {clean_reply(said)}")
    if isinstance(error, smtplib.SMTPResponseException):
        return quote_server(f"{error.smtp_code} {clean_reply(error.smtp_error)}")
    # The client reports a timeout as a lost connection.
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return _("The mail server did not answer in time.")
    if isinstance(error, ConnectionRefusedError):
        return _("Nothing answers at the address of the mail server.")
    if isinstance(error, socket.gaierror):
        return _("The name of the mail server is unknown.")
    return _("The connection to the mail server failed: %(reason)s") % {"reason": clean_reply(str(error))}


def quote_server(said: str) -> str:
    return _("The mail server said: %(said)s") % {"said": said}


def clean_reply(said: bytes | str) -> str:
    line = said.decode(errors="replace") if isinstance(said, bytes) else said
    return " ".join(line.split())[:REASON_CHARACTERS]


def check_server() -> str:
    """Return why the server would refuse mail, or nothing. It sends only the sender's address, no mail."""
    server: Any = mail.get_connection()
    try:
        server.open()
        server.connection.ehlo_or_helo_if_needed()
        code, said = server.connection.mail(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    except OSError as error:
        return describe_error(error)
    finally:
        server.close()
    return "" if code == 250 else quote_server(f"{code} {clean_reply(said)}")
