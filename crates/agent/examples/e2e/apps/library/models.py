from django.core.exceptions import ValidationError
from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=80)
    country = models.CharField(max_length=40, blank=True)

    def __str__(self):
        return self.name


class Book(models.Model):
    STATES = [("shelf", "On the shelf"), ("loan", "On loan"), ("lost", "Lost")]
    title = models.CharField(max_length=120)
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    state = models.CharField(max_length=5, choices=STATES, default="shelf")
    pages = models.PositiveIntegerField()
    bought = models.DateField(null=True, blank=True)
    for_children = models.BooleanField(default=False)
    notes = models.TextField(blank=True)

    def __str__(self):
        return self.title

    def clean(self):
        if self.pages == 0:
            raise ValidationError({"pages": "A book has at least one page."})


class Loan(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    borrower = models.CharField(max_length=80)
    returned = models.BooleanField(default=False)

    def __str__(self):
        return f"{self.book} to {self.borrower}"
