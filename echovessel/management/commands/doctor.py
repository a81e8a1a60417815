from typing import Any

from django.core.management.base import BaseCommand, CommandError

from echovessel.runtime import diagnosis


class Command(BaseCommand):
    help = "Check each part of the install and say how to mend what is wrong. Asks each model of the model server once."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        wrong_count = 0
        for finding in diagnosis.examine():
            wrong_count += bool(finding.mend)
            mark = self.style.ERROR("wrong") if finding.mend else self.style.SUCCESS("   ok")
            self.stdout.write(f"{mark}  {finding.part}: {finding.text}")
            if finding.mend:
                self.stdout.write(f"       {finding.mend}")
        if wrong_count:
            raise CommandError(f"{wrong_count} to mend.")
